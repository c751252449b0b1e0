/** Measures searches of a gallery with strangers: false alarms against those requested, and misses of enrolled people. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SearchTarget } from '#contract/model/face.ts'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import { dot } from '#core/vector-store/unit-vector.ts'
import type { Calibration } from '#models/calibrations.ts'
import { packNamed } from '#models/packs.ts'
import { benchmark, existing, numbers, progress } from '../benchmark.ts'
import {
  automaticPersons,
  checkPlanted,
  type Enrolled,
  REQUESTED,
  type Searched,
  searchGallery,
  TARGETS,
} from '../lib/faces/open-set.ts'
import { type Member, type Person, readPeople, readPopulation } from '../lib/faces/read-faces.ts'
import { withRig } from '../rig.ts'
import { fixed, mean, shuffled } from '../statistics.ts'

/** Times the requested FPIR that a single gallery may have, for each of REQUESTED. */
const TOLERATED = [2, 2.5, 3]

/** Strangers of a gallery who are searched. */
const STRANGERS = 1_600

/** Sizes of galleries of one group. */
const GROUP_SIZES = [1, 5, 20, 49, 100]

/** Pictures of an enrolled person that are searched. */
const PROBES = 3

export default benchmark({
  description: 'false alarms and misses of searches in galleries of several sizes, of faces and of persons',
  options: {
    pack: 'standard',
    /** A folder of pictures per person, with a list of people under a wrong name. */
    images: '../shared/data/lfw-dev',
    /** Adults, one labelled picture each. */
    groups: '../shared/data/attributes/groups',
    sizes: '1,5,20,49,50,100,299,300,500,1500',
    photos: '1,3,5',
    /** Random choices of the enrolled people. */
    draws: 4,
  },
  async run({ pack: name, images, groups, sizes, photos, draws }) {
    const folder = await existing(images)
    const pack = await packNamed('data', name)
    const wrong = await readFile(join(folder, 'wrong-labels.txt'), 'utf8').catch(() => '')
    const named = new Set(wrong.split(/\s+/))
    const people = (await readPeople(folder, pack)).people.filter(({ name }) => !named.has(name))
    const adults = await readPopulation(await existing(groups), pack)
    const table = pack.embedder.calibration!.default
    const galleries = []
    for (const size of numbers(sizes))
      for (const count of numbers(photos)) {
        progress(`${size} people with ${count} photos`)
        const drawn: Record<SearchTarget, Searched>[] = []
        for (let draw = 0; draw < draws; draw++) {
          const { enrolled, strangers } = chosen(people, size, count, seededRandom(draw + 1))
          drawn.push(await withRig(rig => searchGallery(rig, table, enrolled, strangers)))
        }
        galleries.push(
          ...TARGETS.map(target => ({
            size,
            photos: count,
            target,
            ...figures(drawn.map(one => one[target])),
          })),
        )
      }
    return {
      date: new Date().toISOString().slice(0, 10),
      people: people.length,
      galleries,
      automaticPersons: await ofPersons(table, people, draws),
      mistakes: await ofMistakes(table, people, draws),
      mixedGroups: await ofGroups(table, distinct(adults), draws),
      singleGroups: await ofSingleGroups(table, distinct(adults), draws),
    }
  },
})

/**
 * A gallery of `size` people. A person with enough pictures has `count` enrolled pictures and more as probes. Each other person of
 * the gallery has up to `count` pictures and no probe. All other people are strangers, with one picture each.
 */
function chosen(people: readonly Person[], size: number, count: number, random: () => number) {
  const pictures = shuffled(people, random).map(person => person.pictures)
  const withProbes = pictures.filter(own => own.length > count).slice(0, Math.ceil(size / 2))
  const others = pictures.filter(own => !withProbes.includes(own))
  const enrolled: Enrolled[] = [...withProbes, ...others.slice(0, size - withProbes.length)].map(
    (own, i) => ({
      pictures: own.slice(0, count),
      probes: i < withProbes.length ? own.slice(count, count + PROBES) : [],
    }),
  )
  const strangers = others.slice(size - withProbes.length, size - withProbes.length + STRANGERS)
  return { enrolled, strangers: strangers.map(own => own[0]!) }
}

/** Share of the strangers who match at a threshold. */
const alarmShare = ({ strangers, thresholds }: Searched, threshold: number) =>
  strangers.filter(confidence => confidence >= thresholds[threshold]!).length / strangers.length

/** Shares, over all draws. */
function figures(drawn: readonly Searched[]) {
  const strangers = drawn.flatMap(one => one.strangers)
  const falseAlarms = REQUESTED.map((_, i) => drawn.map(one => alarmShare(one, i)))
  const misses = REQUESTED.map((_, i) =>
    mean(
      drawn.map(
        one => one.known.filter(confidence => confidence < one.thresholds[i]!).length / one.known.length,
      ),
    ),
  )
  return {
    strangers: strangers.length,
    probes: drawn[0]!.known.length,
    /** For each requested FPIR: the measured one, and the misses there. */
    requested: REQUESTED.map((fpir, i) => ({
      fpir,
      measured: fixed(mean(falseAlarms[i]!), 4),
      missed: fixed(misses[i]!, 3),
      /** Galleries with more than TOLERATED times the requested FPIR. */
      exceeded: falseAlarms[i]!.filter(one => one > fpir * TOLERATED[i]!).length,
      threshold: fixed(mean(drawn.map(one => one.thresholds[i]!)), 3),
    })),
  }
}

/** Number of people whose photos are enrolled in sequence, and bounds of their photos. */
const ENROLLED_PEOPLE = 200
const ENROLLED_PHOTOS = [3, 10] as const

/** The persons that the service makes of photos in random order, before and after a grouping. */
async function ofPersons(table: Calibration, people: readonly Person[], draws: number) {
  const rows = []
  for (let draw = 0; draw < draws; draw++) {
    progress(`automatic persons ${draw + 1} of ${draws}`)
    const random = seededRandom(draw + 1)
    const several = people.filter(({ pictures }) => pictures.length >= ENROLLED_PHOTOS[0])
    const photos = shuffled(several, random)
      .slice(0, ENROLLED_PEOPLE)
      .flatMap(({ pictures }, subject) =>
        pictures.slice(0, ENROLLED_PHOTOS[1]).map(vector => ({ vector, subject })),
      )
    const found = await withRig(rig => automaticPersons(rig, table, shuffled(photos, random)))
    rows.push({ photos: photos.length, ...found.enrolled, afterGrouping: found.grouped })
  }
  return rows
}

/** Photos of a person in a gallery with mistakes. */
const MOST_PHOTOS = 10

/** People of the gallery with mistakes that has people with one photo, too. */
const MIXED_PEOPLE = 1_500

/** Findings of the check in galleries with a few photos of wrong people. */
async function ofMistakes(table: Calibration, people: readonly Person[], draws: number) {
  const several = people.filter(({ pictures }) => pictures.length > 1)
  const galleries = {
    'two or more photos a person': () => several.map(({ pictures }) => pictures.slice(0, MOST_PHOTOS)),
    'one to three photos a person': (random: () => number) =>
      chosen(people, MIXED_PEOPLE, 3, random).enrolled.map(({ pictures }) => pictures),
  }
  const rows = []
  for (const [gallery, picturesOf] of Object.entries(galleries)) {
    const found = []
    for (let draw = 0; draw < draws; draw++) {
      progress(`mistakes in a gallery with ${gallery}`)
      const random = seededRandom(draw + 1)
      const pictures = picturesOf(random)
      found.push(await withRig(rig => checkPlanted(rig, table, pictures, random)))
    }
    rows.push({
      gallery,
      photos: found[0]!.photos,
      mistakes: found[0]!.mistakes,
      found: fixed(mean(found.map(one => one.found)), 3),
      goodNamed: fixed(mean(found.map(one => one.goodNamed)), 4),
    })
  }
  return rows
}

/** The adults without people who score like another one: the pictures repeat some people. */
function distinct(adults: readonly Member[]): Member[] {
  const kept: Member[] = []
  for (const adult of adults)
    if (kept.every(other => dot(adult.unit, other.unit, 0) < SAME_PERSON)) kept.push(adult)
  return kept
}

/** Cosine from which on two adults count as one. */
const SAME_PERSON = 0.6

/** People of the gallery of all groups. */
const OF_ALL_GROUPS = 1_000

/** False alarms of a gallery of all groups in equal shares. */
const ofGroups = async (table: Calibration, adults: readonly Member[], draws: number) => ({
  requested: REQUESTED[0],
  measured: fixed(await alarmsOf(table, adults, { size: OF_ALL_GROUPS, draws, target: 'faces' }), 4),
})

/** The share of strangers of the same group with a match at the first requested FPIR, in galleries of one group. */
async function ofSingleGroups(table: Calibration, adults: readonly Member[], draws: number) {
  const rows = []
  for (const size of GROUP_SIZES) {
    const groups = []
    for (const [group, members] of Map.groupBy(adults, ({ group }) => group)) {
      progress(`${size} people: ${group}`)
      const share = await alarmsOf(table, members, { size, draws, target: 'persons' })
      groups.push({ group, share: fixed(share, 4) })
    }
    groups.sort((a, b) => b.share - a.share)
    const shares = groups.map(({ share }) => share)
    rows.push({ size, requested: REQUESTED[0], mean: fixed(mean(shares), 4), worst: groups[0] })
  }
  return rows
}

/** Mean share of strangers with a match at the first requested FPIR. `size` people are enrolled, all other people are strangers. */
async function alarmsOf(
  table: Calibration,
  people: readonly Member[],
  { size, draws, target }: { size: number; draws: number; target: SearchTarget },
) {
  const shares = []
  for (let draw = 0; draw < draws; draw++) {
    const drawn = shuffled(people, seededRandom(draw + 1)).map(({ unit }) => unit)
    const enrolled = drawn.slice(0, size).map(unit => ({ pictures: [unit], probes: [] }))
    const found = await withRig(rig => searchGallery(rig, table, enrolled, drawn.slice(size)))
    shares.push(alarmShare(found[target], 0))
  }
  return mean(shares)
}
