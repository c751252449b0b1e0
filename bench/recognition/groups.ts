/** Measures false and true match rates by gender, group and age, from impostor and genuine pairs of labelled people. */

import { CALIBRATION_NAMES } from '#models/calibrations.ts'
import { packsOf, requireUsable, type UsablePack } from '#models/packs.ts'
import { benchmark, DATA, existing, exists, fromCaller } from '../benchmark.ts'
import { cosinesOf, type Member, readPeople, readPopulation } from '../lib/faces/read-faces.ts'
import { scoreOf, shareOf, sharesByGroup, THRESHOLD_NAMES } from '../lib/statistics/group-tables.ts'
import { samePersonCosine } from '../lib/statistics/pair-scores.ts'
import { comparedStrangers } from '../lib/statistics/strangers.ts'
import { countedAt, type Share, sharesAt } from '../lib/statistics/tables.ts'
import { fixed, rate } from '../statistics.ts'

/** People below this age are children. */
const ADULT = 18

/** Lower bounds of the age bands. Both people of an impostor pair belong to the band. */
const AGES = [0, 3, 8, 13, 18, 30, 45, 60]

/** Rates of a pack with one of its tables. */
interface GroupRates {
  name: string
  /** `same`: share of genuine pairs that reach the threshold; null without genuine pairs. */
  thresholds: { name: string; score: number; same: number | null }[]
  /** A group of impostors, and the share of its pairs that reaches each threshold. */
  rows: { who: string; shares: Share[] }[]
}

interface Folders {
  groups: string
  images: string
  ages: string
}

export default benchmark({
  description: 'false and true matches by gender, group and age at every named threshold of the packs',
  options: {
    /** Adults, one labelled picture each. */
    groups: '../shared/data/attributes/groups',
    /** A folder of pictures per person, for true match rates. */
    images: '../shared/data/lfw-dev',
    /** Children and adults, with file names as in `groups`. */
    ages: '../shared/data/attributes/age-gender',
    data: DATA,
    /** Default: every pack whose files exist. */
    pack: '',
  },
  async run({ groups, images, ages, data, pack: name }) {
    const folders = {
      groups: await existing(groups),
      images: fromCaller(images),
      ages: fromCaller(ages),
    }
    const measured: GroupRates[] = []
    for (const pack of await installed(fromCaller(data)))
      if (name === '' || pack.name === name) measured.push(...(await packRates(pack, folders)))
    return { measured: measured.map(readable) }
  },
})

/** The packs with files and calibration. */
async function installed(data: string): Promise<UsablePack[]> {
  const found: UsablePack[] = []
  for (const pack of await packsOf(data)) {
    const isThere = await Promise.all(Object.values(pack.files).map(({ path }) => exists(path)))
    if (isThere.every(Boolean) && pack.embedder.calibration) found.push(requireUsable(pack))
  }
  return found
}

async function packRates(pack: UsablePack, { groups, images, ages }: Folders): Promise<GroupRates[]> {
  const adults = await readPopulation(groups, pack)
  const bar = samePersonCosine(adults.map(({ unit }) => unit))
  const pairs = comparedStrangers(adults, bar)
  const children = (await exists(ages)) ? await readPopulation(ages, pack, ({ age }) => age < ADULT) : []
  const aged = children.length === 0 ? [] : ageBands(children, adults)
  const same = (await exists(images))
    ? cosinesOf((await readPeople(images, pack)).people).same
    : new Float32Array()
  return CALIBRATION_NAMES.flatMap(name => {
    const own = pack.embedder.calibration[name]
    if (!own) return []
    const scores = THRESHOLD_NAMES.map(threshold => scoreOf(own, threshold))
    return {
      name: `${pack.name}, table ${name}`,
      thresholds: THRESHOLD_NAMES.map((threshold, i) => ({
        name: threshold,
        score: scores[i]!,
        same:
          same.length === 0
            ? null
            : fixed(
                shareOf(same, one => one >= scores[i]!),
                4,
              ),
      })),
      rows: [
        { who: 'any two adults', shares: sharesAt(pairs, 'any', bar, scores) },
        { who: 'one gender and group', shares: sharesAt(pairs, 'alike', bar, scores) },
        ...sharesByGroup(pairs, bar, scores).map(({ group, shares }) => ({ who: group, shares })),
        ...aged.map(({ who, members }) => ({ who, shares: sharesOfBand(members, bar, scores) })),
      ],
    }
  })
}

/**
 * Match rates of impostor pairs of an age band, over all groups together. For bands with children no pair is left
 * out: different infants score above the bar of adults.
 */
function sharesOfBand(members: readonly Member[], bar: number, scores: readonly number[]): Share[] {
  const own = members.map(({ unit }) => ({ group: '', unit }))
  return members.some(({ age }) => age < ADULT)
    ? countedAt(comparedStrangers(own), 'alike', scores)
    : sharesAt(comparedStrangers(own, bar), 'alike', bar, scores)
}

/** Adults of the balanced population and children of the other one, by age bands. */
function ageBands(
  children: readonly Member[],
  adults: readonly Member[],
): { who: string; members: Member[] }[] {
  const bands = AGES.map((from, i) => {
    const to = AGES[i + 1] ?? Number.POSITIVE_INFINITY
    const who = to === Number.POSITIVE_INFINITY ? `${from} years and more` : `${from} to ${to - 1} years`
    return { who, members: [...children, ...adults].filter(({ age }) => age >= from && age < to) }
  })
  return [{ who: 'children (below 18)', members: [...children] }, ...bands]
}

/** Rows with a column for each threshold. */
const readable = ({ name, thresholds, rows }: GroupRates) => ({
  name,
  thresholds,
  rows: rows.map(({ who, shares }) => ({
    who,
    ...Object.fromEntries(
      shares.map(({ share, from, to }, i) => [
        thresholds[i]!.name,
        `${rate(share)} (${rate(from)} to ${rate(to)})`,
      ]),
    ),
  })),
})
