/** Measures false and true match rates by gender, group and age, from impostor and genuine pairs of labelled people. */
import { samePersonCosine } from '#core/calibration/people.ts'
import { CALIBRATION_NAMES } from '#models/calibrations.ts'
import { type PlacedPack, packsOf, requireUsable, type UsablePack } from '#models/packs.ts'
import { exists, fixed, fromCaller, type Outcome, progress, table } from '../benchmark.ts'
import type { Measured } from '../lib/faces/measured.ts'
import { peersMeasured } from '../lib/faces/peer-groups.ts'
import { readPeople } from '../lib/faces/people.ts'
import { type Label, type Member, readPopulation } from '../lib/faces/population.ts'
import { CACHE_OPTION } from '../lib/faces/read-faces.ts'
import { cosinesOf } from '../lib/measures/bands.ts'
import { scoreOf, sharesByGroup } from '../lib/measures/group-tables.ts'
import { comparedStrangers } from '../lib/measures/strangers.ts'
import { countedAt, type Share, sharesAt } from '../lib/measures/tables.ts'
import { type Bars, plotBars } from '../lib/vectors/bars.ts'

export const description =
  'false and true matches by gender, group and age at every named threshold: packs, face-api, human'

export const options = {
  images: { type: 'string' },
  groups: { type: 'string' },
  ages: { type: 'string' },
  data: { type: 'string' },
  pack: { type: 'string' },
  peers: { type: 'string' },
  ...CACHE_OPTION,
} as const

const NAMES = ['low', 'medium', 'strict'] as const

/** People below this age are children. */
const ADULT = 18

/** Lower bounds of the age bands. Both people of an impostor pair belong to the band. */
const AGES = [0, 3, 8, 13, 18, 30, 45, 60]

/** Number of pictures for the peers, per group and of people with two pictures. Peers take a second per picture. */
const PEER_PICTURES = 40

interface Values {
  /** A folder of pictures per person. */
  images?: string
  /** Adults, one picture each: see bench/lib/faces/population.ts. */
  groups?: string
  /** Children and adults, with file names as in `groups`. */
  ages?: string
  data?: string
  /** Measures only this pack. Default: every pack whose files exist. */
  pack?: string
  /** Pictures per group for the peers; 0 leaves out the peers. */
  peers?: string
  cache?: string
}

export async function run(values: Values): Promise<Outcome> {
  const groups = fromCaller(values.groups ?? '../shared/data/attributes/groups')
  if (!(await exists(groups))) return { table: `skipped: there is no ${groups}`, result: { skipped: true } }
  const images = fromCaller(values.images ?? '../shared/data/lfw-dev')
  const ages = fromCaller(values.ages ?? '../shared/data/attributes/age-gender')
  const data = fromCaller(values.data ?? process.env.MIEN_DATA ?? 'data')
  const cache = values.cache === undefined ? undefined : fromCaller(values.cache)
  const packs = (await installed(data)).filter(({ name }) => name === (values.pack ?? name))
  const measured: Measured[] = []
  for (const pack of packs) measured.push(...(await packMeasured(pack, { groups, images, ages, cache })))
  const shown = Number(values.peers ?? PEER_PICTURES)
  if (shown > 0) measured.push(...(await peersMeasured({ groups, images, shown })))
  const drawn = plotBars(barsOf(measured), { x: 'strangers taken for one person' })
  return {
    table: measured.map(textOf).join('\n\n'),
    result: { measured },
    pictures: { 'groups.svg': drawn },
  }
}

/** The packs with files and calibration. */
async function installed(data: string): Promise<UsablePack[]> {
  const found: UsablePack[] = []
  for (const pack of await packsOf(data)) {
    const isThere = await Promise.all(Object.values(pack.files).map(({ path }) => exists(path)))
    if (isThere.every(Boolean) && pack.embedder.calibration) found.push(requireUsable(pack))
  }
  return found
}

async function packMeasured(
  pack: UsablePack,
  {
    groups,
    images,
    ages,
    cache,
  }: { groups: string; images: string; ages: string; cache: string | undefined },
): Promise<Measured[]> {
  const tell = (done: number, total: number): void => {
    if (done % 500 < 16) progress(`${pack.name}: ${done} of ${total} pictures`)
  }
  const adults = await readPopulation(groups, pack, { cache }, tell)
  const bar = samePersonCosine(adults.map(({ face }) => face.unit))
  const pairs = comparedStrangers(people(adults), bar)
  const aged = (await exists(ages)) ? await agedPeople(ages, adults, pack, cache, tell) : []
  const same = (await exists(images))
    ? cosinesOf((await readPeople(images, pack, { cache }, tell)).people).same
    : new Float32Array()
  return CALIBRATION_NAMES.flatMap(name => {
    const own = pack.embedder.calibration[name]
    if (!own) return []
    const scores = NAMES.map(threshold => scoreOf(own, threshold))
    const row = (who: string, shares: Share[]) => ({ who, shares })
    return {
      name: `${pack.name}, table ${name}`,
      thresholds: NAMES.map((threshold, i) => ({
        name: threshold,
        score: scores[i]!,
        same: same.length === 0 ? null : fixed(same.filter(one => one >= scores[i]!).length / same.length, 4),
      })),
      rows: [
        row('any two adults', sharesAt(pairs, 'any', bar, scores)),
        row('one gender and group', sharesAt(pairs, 'alike', bar, scores)),
        ...sharesByGroup(pairs, bar, scores).map(({ group, shares }) => row(group, shares)),
        ...aged.map(({ who, members }) => row(who, sharesOfOne(members, bar, scores))),
      ],
    }
  })
}

const people = (members: readonly Member[]) => members.map(({ group, face }) => ({ group, unit: face.unit }))

/**
 * Match rates of impostor pairs of an age band, over all groups together. For bands with children no pair is left
 * out: different infants score above the bar of adults.
 */
function sharesOfOne(members: readonly Member[], bar: number, scores: readonly number[]): Share[] {
  const own = members.map(({ face }) => ({ group: '', unit: face.unit }))
  return members.some(({ age }) => age < ADULT)
    ? countedAt(comparedStrangers(own), 'alike', scores)
    : sharesAt(comparedStrangers(own, bar), 'alike', bar, scores)
}

/** Adults of the balanced population and children of the other one, by age bands. */
async function agedPeople(
  folder: string,
  adults: readonly Member[],
  pack: PlacedPack,
  cache: string | undefined,
  tell: (done: number, total: number) => void,
): Promise<{ who: string; members: Member[] }[]> {
  const is = ({ age }: Label): boolean => age < ADULT
  const children = await readPopulation(folder, pack, { cache, is }, tell)
  const all = [...children, ...adults]
  const bands = AGES.map((from, i) => {
    const to = AGES[i + 1] ?? Number.POSITIVE_INFINITY
    const who = to === Number.POSITIVE_INFINITY ? `${from} years and more` : `${from} to ${to - 1} years`
    return { who, members: all.filter(({ age }) => age >= from && age < to) }
  })
  return [{ who: 'children (below 18)', members: children }, ...bands]
}

const percent = (share: number): string => `${fixed(100 * share)} %`
const rate = (share: number): string => share.toExponential(1)

function textOf({ name, thresholds, rows }: Measured): string {
  const head = thresholds.map(
    one => `${one.name} (${one.score}): true ${one.same === null ? '-' : percent(one.same)}`,
  )
  return table([
    [name, ...head],
    ...rows.map(({ who, shares }) => [
      who,
      ...shares.map(({ share, from, to }) => `${rate(share)} (${rate(from)} to ${rate(to)})`),
    ]),
  ])
}

/** Rates of the groups for each pack and peer, at `medium` or the peer's usual threshold. */
function barsOf(measured: readonly Measured[]): Bars[] {
  const groups = measured[0]!.rows.map(({ who }) => who).filter(who => /(wo)?men$/.test(who))
  return measured.flatMap(({ name, thresholds, rows }) => {
    const at = thresholds.findIndex(one => one.name === 'medium' || one.name === 'usual')
    if (at < 0) return []
    return {
      name: `${name}, ${thresholds[at]!.name}`,
      values: groups.map(group => ({
        label: group,
        ...rows.find(({ who }) => who === group)!.shares[at]!,
      })),
    }
  })
}
