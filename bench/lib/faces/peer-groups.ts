/**
 * Measures peers on the labelled people: with fewer pictures, because peers are slow, and counted rates without a
 * fitted tail.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Box } from '#contract/model/bbox.ts'
import { analyzePhoto } from '#wasm/pipeline.ts'
import { exists, tell } from '../../benchmark.ts'
import { evenly, fixed } from '../../statistics.ts'
import { type DescriptorPeer, faceApiDescriptor, humanDescriptors } from '../peers/descriptors.ts'
import { comparedStrangers, type StrangerPairs, scoreAt, weightsOf } from '../statistics/strangers.ts'
import { countedAt, type Share } from '../statistics/tables.ts'
import { BUDGET, mostCentral, openAnalysis, picturesByPerson } from './analysis.ts'
import { openPicture } from './attributes.ts'
import { labelledPaths, labelOf } from './read-faces.ts'

export interface GroupRates {
  /** A pack and its table, or a peer. */
  readonly name: string
  /** `same`: share of genuine pairs that reach the threshold; null without such pairs. */
  readonly thresholds: { name: string; score: number; same: number | null }[]
  /** A group of impostors, and the share of its pairs that reaches each threshold. */
  readonly rows: { who: string; shares: Share[] }[]
}

/** The rate that `medium` guarantees. Peers are measured at this rate and at their usual threshold. */
const PROMISE = 1e-3

interface Asked {
  groups: string
  images: string
  /** Pictures of each group. */
  shown: number
}

/** A picture with its label: a group for impostor pairs, a name for genuine pairs. */
interface Shown {
  path: string
  group?: string
  person?: string
}

export async function peerRates(asked: Asked): Promise<GroupRates[]> {
  const pictures = await shownPictures(asked)
  const boxes = await boxesOf(pictures.map(({ path }) => path))
  const measured: GroupRates[] = []
  for (const open of [faceApiDescriptor, humanDescriptors])
    measured.push(...(await ratesOf(await open(), pictures, boxes)))
  return measured
}

/** This many pictures of each group, and two pictures each of twice as many people. */
async function shownPictures({ groups, images, shown }: Asked): Promise<Shown[]> {
  const labelled = Map.groupBy(await labelledPaths(groups), path => labelOf(path)!.group)
  const strangers = [...labelled].flatMap(([group, paths]) =>
    evenly(paths, shown).map(path => ({ path, group })),
  )
  const all = (await exists(images)) ? await picturesByPerson(images) : []
  const people = all.filter(([, own]) => own.length > 1)
  const same = evenly(people, 2 * shown).flatMap(([person, own]) =>
    own.slice(0, 2).map(file => ({ path: join(images, file), person })),
  )
  return [...strangers, ...same]
}

/** The box of the most central face, as our detector reports it. */
async function boxesOf(paths: readonly string[]): Promise<Map<string, Box>> {
  const models = await openAnalysis()
  const boxes = new Map<string, Box>()
  for (const path of paths) {
    const { faces } = await analyzePhoto(models, new Uint8Array(await readFile(path)), undefined, BUDGET)
    const central = mostCentral(
      faces.map(box => ({ box })),
      await openPicture(path),
    )
    if (central) boxes.set(path, central.box)
  }
  return boxes
}

async function ratesOf(
  { descriptors, describe }: DescriptorPeer,
  pictures: readonly Shown[],
  boxes: ReadonlyMap<string, Box>,
): Promise<GroupRates[]> {
  const described: (Shown & { vectors: Float32Array[] })[] = []
  for (const [i, picture] of pictures.entries()) {
    const box = boxes.get(picture.path)
    const vectors = box && (await describe(await openPicture(picture.path), box))
    if (vectors) described.push({ ...picture, vectors })
    tell(i, pictures.length)
  }
  const strangers = described.filter(({ group }) => group !== undefined)
  const pairs = [...Map.groupBy(described, ({ person }) => person)].filter(
    ([person, own]) => person !== undefined && own.length === 2,
  )
  return descriptors.map(({ name, usual }, way) => {
    const people = strangers.map(({ group, vectors }) => ({ group: group!, unit: vectors[way]! }))
    const compared = comparedStrangers(people, undefined, (a, b) =>
      closeness(people[a]!.unit, people[b]!.unit),
    )
    const same = pairs.map(([, [a, b]]) => closeness(a!.vectors[way]!, b!.vectors[way]!))
    return rated(`${name} (${described.length} of ${pictures.length} found)`, usual, compared, same)
  })
}

/** The negated Euclidean distance. */
const closeness = (a: Float32Array, b: Float32Array): number =>
  -Math.hypot(...a.map((value, i) => value - b[i]!))

function rated(
  name: string,
  usual: number | undefined,
  pairs: StrangerPairs,
  same: readonly number[],
): GroupRates {
  const promised = scoreAt(pairs, weightsOf(pairs, 'any'), PROMISE)
  const thresholds = [
    ...(usual === undefined ? [] : [{ name: 'usual', score: -usual }]),
    { name: `any two ${PROMISE.toExponential(0)}`, score: fixed(promised, 4) },
  ]
  const scores = thresholds.map(({ score }) => score)
  return {
    name,
    thresholds: thresholds.map(one => ({
      ...one,
      same:
        same.length === 0 ? null : fixed(same.filter(score => score >= one.score).length / same.length, 4),
    })),
    rows: [
      { who: 'any two adults', shares: countedAt(pairs, 'any', scores) },
      { who: 'one gender and group', shares: countedAt(pairs, 'alike', scores) },
      ...pairs.groups.map((who, place) => ({ who, shares: countedAt(pairs, place, scores) })),
    ],
  }
}
