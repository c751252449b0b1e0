/** Reads the faces of many pictures: embedding, estimated age and gender, with an optional cache between runs. */
import { createHash } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type PairScores, pairScores } from '#core/calibration/people.ts'
import { openEmbedder } from '#core/embedding/embedder.ts'
import { openEstimator } from '#core/embedding/estimator.ts'
import { embedderLabel } from '#core/embedding/label.ts'
import { dot, unitVector } from '#core/vector-store/unit-vector.ts'
import type { PlacedPack } from '#models/packs.ts'
import { readHeader } from '#wasm/decode/header.ts'
import { fromCaller, tell } from '../../benchmark.ts'
import { mean } from '../../statistics.ts'
import { facesOn, mostCentral, openAnalysis, picturesIn } from './analysis.ts'

/** Pictures that are analysed before their chips are embedded together. */
const AT_ONCE = 16

/**
 * Unit embedding by path; undefined when no face was found. `onFace` receives the chip and unit embedding of each face.
 */
async function embedPictures(
  paths: readonly string[],
  pack: PlacedPack,
  onFace: (path: string, chip: Uint8Array, unit: Float32Array) => Promise<void>,
): Promise<Map<string, Float32Array | undefined>> {
  const models = await openAnalysis(pack)
  const embedder = await openEmbedder({ pack })
  const chipOf = async (path: string): Promise<Uint8Array | undefined> => {
    const bytes = new Uint8Array(await readFile(path))
    return mostCentral(await facesOn(models, bytes), readHeader(bytes))?.chip
  }
  const embeddings = new Map<string, Float32Array | undefined>(paths.map(path => [path, undefined]))
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    tell(at, paths.length)
    const embedded: Promise<void>[] = []
    for (const path of paths.slice(at, at + AT_ONCE)) {
      const chip = await chipOf(path)
      if (!chip) continue
      const embed = async () => {
        const [vector] = await embedder.embed([chip])
        const unit = unitVector(vector!)
        embeddings.set(path, unit)
        await onFace(path, chip, unit)
      }
      embedded.push(embed())
    }
    await Promise.all(embedded)
  }
  await embedder.close()
  return embeddings
}

export interface ReadFace {
  /** Unit embedding. */
  readonly unit: Float32Array
  /** Age as our network estimates it. */
  readonly age: number
  readonly female: boolean
}

/** A line of a cache file; `face` is absent when none was found. */
interface Line {
  path: string
  face?: { unit: string; age: number; female: boolean }
}

/**
 * The central face of each picture; undefined when none is found. `cache` is a folder of the caller that keeps results
 * by embedder and detector; none when empty. Delete it after a change of the code that finds or aligns faces.
 */
async function readFaces(
  paths: readonly string[],
  pack: PlacedPack,
  cache: string,
): Promise<Map<string, ReadFace | undefined>> {
  const file = cache && join(fromCaller(cache), `${fileName(pack)}.jsonl`)
  if (file) await mkdir(dirname(file), { recursive: true })
  const known = file ? await linesOf(file) : new Map<string, Line>()
  const missing = paths.filter(path => !known.has(path))
  if (missing.length > 0) {
    const estimator = await openEstimator({ pack })
    const add = async (line: Line): Promise<void> => {
      known.set(line.path, line)
      if (file) await appendFile(file, `${JSON.stringify(line)}\n`)
    }
    const found = await embedPictures(missing, pack, async (path, chip, unit) => {
      const [read] = await estimator.estimate([{ chip }], { age: true, gender: true, emotions: false })
      const text = Buffer.from(unit.buffer, unit.byteOffset, unit.byteLength).toString('base64')
      await add({ path, face: { unit: text, age: read!.age!, female: read!.gender === 'female' } })
    })
    await estimator.close()
    for (const [path, unit] of found) if (!unit) await add({ path })
  }
  return new Map(paths.map(path => [path, faceOf(known.get(path)!)]))
}

const fileName = (pack: PlacedPack): string => {
  const others = JSON.stringify([pack.detector, pack.landmarks])
  return `${embedderLabel(pack)}-${createHash('sha256').update(others).digest('hex').slice(0, 8)}`
}

async function linesOf(file: string): Promise<Map<string, Line>> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const lines = text.split('\n').slice(0, -1)
  return new Map(lines.map(line => JSON.parse(line) as Line).map(line => [line.path, line]))
}

function faceOf({ face }: Line): ReadFace | undefined {
  if (!face) return undefined
  const { buffer } = Uint8Array.from(Buffer.from(face.unit, 'base64'))
  return { ...face, unit: new Float32Array(buffer) }
}

export interface Person {
  /** Unit embeddings of the pictures with a face, at least one. */
  pictures: Float32Array[]
  /** Mean estimated age over the pictures. */
  age: number
  /** Share of pictures with the estimate "female", 0..1. */
  female: number
}

export interface People {
  people: Person[]
  /** Pictures without a face. */
  failures: number
}

/** Reads a folder with one subfolder per person; the first `limit` pictures unless 0. */
export async function readPeople(
  folder: string,
  pack: PlacedPack,
  { limit = 0, cache = '' }: { limit?: number; cache?: string } = {},
): Promise<People> {
  const files = (await picturesIn(folder)).filter(file => dirname(file) !== '.').slice(0, limit || undefined)
  const faces = await readFaces(
    files.map(file => join(folder, file)),
    pack,
    cache,
  )
  const found = [...faces].flatMap(([path, face]) => (face ? [{ path, ...face }] : []))
  const people = [...Map.groupBy(found, ({ path }) => dirname(path)).values()].map(own => ({
    pictures: own.map(({ unit }) => unit),
    age: mean(own.map(({ age }) => age)),
    female: mean(own.map(({ female }) => Number(female))),
  }))
  return { people, failures: files.length - found.length }
}

/** Cosines of all pictures of these people. */
export const cosinesOf = (people: readonly Person[]): PairScores =>
  pairScores(
    people.map(({ pictures }) => pictures),
    (a, b) => dot(a, b, 0),
  )

/** Values of the second and third part of a file name. */
const GENDERS = ['men', 'women']
const GROUPS = ['White', 'Black', 'Asian', 'Indian', 'other']

export interface Label {
  /** Age in years. */
  readonly age: number
  /** Gender and group, for example `Asian women`. */
  readonly group: string
}

/** A labelled person, and the face on that person's picture. */
export interface Member extends Label {
  readonly face: ReadFace
}

/** The label in a file name as in UTKFace, `AGE_GENDER_GROUP_*.jpg`; undefined without one. */
export function labelOf(path: string): Label | undefined {
  const [age, gender, group] = basename(path).split('_').map(Number)
  const [who, kind] = [GENDERS[gender ?? -1], GROUPS[group ?? -1]]
  return who && kind && Number.isFinite(age) ? { age: age!, group: `${kind} ${who}` } : undefined
}

/** Reads people with one labelled picture each. `is` filters by label. */
export async function readPopulation(
  folder: string,
  pack: PlacedPack,
  cache: string,
  is: (label: Label) => boolean = () => true,
): Promise<Member[]> {
  const files = (await readdir(folder)).sort().filter(file => {
    const label = labelOf(file)
    return label && is(label)
  })
  const faces = await readFaces(
    files.map(file => join(folder, file)),
    pack,
    cache,
  )
  return [...faces].flatMap(([path, face]) => (face ? [{ face, ...labelOf(path)! }] : []))
}
