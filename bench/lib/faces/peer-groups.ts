/**
 * Measures peers on the labelled people: with fewer pictures, because peers are slow, and counted rates without a
 * fitted tail.
 */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readModel } from '#models/files.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { analyzePhoto, openVisionModels } from '#wasm/pipeline.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'
import { evenly, fixed, progress } from '../../benchmark.ts'
import { comparedStrangers, type StrangerPairs, scoreAt, weightsOf } from '../measures/strangers.ts'
import { countedAt } from '../measures/tables.ts'
import { type DescriptorPeer, faceApiDescriptor, humanDescriptors } from '../peers/descriptors.ts'
import { openPicture } from './labelled-attributes.ts'
import type { Measured } from './measured.ts'
import { labelledPaths, labelOf } from './population.ts'

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

export async function peersMeasured(asked: Asked): Promise<Measured[]> {
  const pictures = await shownPictures(asked)
  const boxes = await boxesOf(pictures.map(({ path }) => path))
  const measured: Measured[] = []
  for (const open of [faceApiDescriptor, humanDescriptors])
    measured.push(...(await measuredPeer(await open(), pictures, boxes)))
  return measured
}

/** This many pictures of each group, and two pictures each of twice as many people. */
async function shownPictures({ groups, images, shown }: Asked): Promise<Shown[]> {
  const labelled = Map.groupBy(await labelledPaths(groups), path => labelOf(path)!.group)
  const strangers = [...labelled].flatMap(([group, paths]) =>
    evenly(paths, shown).map(path => ({ path, group })),
  )
  const files = (await readdir(images, { recursive: true }).catch(() => [])).filter(file =>
    /\.jpe?g$/i.test(file),
  )
  const people = [...Map.groupBy(files.sort(), dirname)].filter(([, own]) => own.length > 1)
  const same = evenly(people, 2 * shown).flatMap(([person, own]) =>
    own.slice(0, 2).map(file => ({ path: join(images, file), person })),
  )
  return [...strangers, ...same]
}

/** The box of the most central face, as our detector reports it. */
async function boxesOf(paths: readonly string[]) {
  const models = await openVisionModels(await openRuntime(), loadCodecs(), readModel)
  const boxes = new Map<string, { x1: number; y1: number; x2: number; y2: number }>()
  for (const path of paths) {
    const bytes = new Uint8Array(await readFile(path))
    const { faces } = await analyzePhoto(models, bytes, undefined, { maxBytes: 2 ** 30, param: 'photo' })
    const { width, height } = await openPicture(path)
    const off = (box: (typeof faces)[number]) => Math.hypot(box.x1 + box.x2 - width, box.y1 + box.y2 - height)
    const [box] = faces.toSorted((a, b) => off(a) - off(b))
    if (box) boxes.set(path, box)
  }
  return boxes
}

async function measuredPeer(
  { descriptors, describe }: DescriptorPeer,
  pictures: readonly Shown[],
  boxes: Awaited<ReturnType<typeof boxesOf>>,
): Promise<Measured[]> {
  const described: (Shown & { vectors: Float32Array[] })[] = []
  for (const [i, picture] of pictures.entries()) {
    const box = boxes.get(picture.path)
    const vectors = box && (await describe(await openPicture(picture.path), box))
    if (vectors) described.push({ ...picture, vectors })
    if (i % 100 === 0) progress(`${descriptors[0]!.name}: ${i} of ${pictures.length}`)
  }
  const strangers = described.filter(({ group }) => group !== undefined)
  const pairs = [...Map.groupBy(described, ({ person }) => person)].filter(
    ([person, own]) => person !== undefined && own.length === 2,
  )
  return descriptors.map(({ name, usual }, way) => {
    const score = (a: Float32Array, b: Float32Array) => -distance(a, b)
    const people = strangers.map(({ group, vectors }) => ({ group: group!, unit: vectors[way]! }))
    const compared = comparedStrangers(people, undefined, (a, b) => score(people[a]!.unit, people[b]!.unit))
    const same = pairs.map(([, [a, b]]) => score(a!.vectors[way]!, b!.vectors[way]!))
    return measuredWay(`${name} (${described.length} of ${pictures.length} found)`, usual, compared, same)
  })
}

/** Measures one descriptor. Scores are negated distances: greater means closer. */
function measuredWay(
  name: string,
  usual: number | undefined,
  pairs: StrangerPairs,
  same: readonly number[],
): Measured {
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
      same: fixed(same.filter(score => score >= one.score).length / same.length, 4),
    })),
    rows: [
      { who: 'any two adults', shares: countedAt(pairs, 'any', scores) },
      { who: 'one gender and group', shares: countedAt(pairs, 'alike', scores) },
      ...pairs.groups.map((who, place) => ({ who, shares: countedAt(pairs, place, scores) })),
    ],
  }
}

function distance(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2
  return Math.sqrt(sum)
}
