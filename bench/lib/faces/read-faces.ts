/** Reads the embeddings of the faces of many pictures. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { openEmbedder } from '#core/embedding/embedder.ts'
import { dot, unitVector } from '#core/vector-store/unit-vector.ts'
import type { PlacedPack } from '#models/packs.ts'
import { readHeader } from '#wasm/decode/header.ts'
import { tell } from '../../benchmark.ts'
import { type PairScores, pairScores } from '../statistics/pair-scores.ts'
import { facesOn, mostCentral, openAnalysis, picturesIn } from './analysis.ts'

/** Pictures that are analysed before their chips are embedded together. */
const AT_ONCE = 16

/** Unit embedding of the central face of each picture; undefined when none is found. */
async function readFaces(
  paths: readonly string[],
  pack: PlacedPack,
): Promise<Map<string, Float32Array | undefined>> {
  const models = await openAnalysis(pack)
  const embedder = await openEmbedder({ pack })
  const read = async (chip: Uint8Array) => unitVector((await embedder.embed([chip]))[0]!)
  const faces = new Map<string, Float32Array | undefined>()
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    tell(at, paths.length)
    const reading: Promise<[string, Float32Array | undefined]>[] = []
    for (const path of paths.slice(at, at + AT_ONCE)) {
      const bytes = new Uint8Array(await readFile(path))
      const chip = mostCentral(await facesOn(models, bytes), readHeader(bytes))?.chip
      reading.push(Promise.resolve(chip && read(chip)).then(unit => [path, unit]))
    }
    for (const [path, unit] of await Promise.all(reading)) faces.set(path, unit)
  }
  await embedder.close()
  return faces
}

export interface Person {
  /** Name of the folder. */
  name: string
  /** Unit embeddings of the pictures with a face, at least one. */
  pictures: Float32Array[]
}

interface People {
  people: Person[]
  /** Pictures without a face. */
  failures: number
}

/** Reads a folder with one subfolder per person; the first `limit` pictures unless 0. */
export async function readPeople(folder: string, pack: PlacedPack, limit = 0): Promise<People> {
  const files = (await picturesIn(folder)).filter(file => dirname(file) !== '.').slice(0, limit || undefined)
  const faces = await readFaces(
    files.map(file => join(folder, file)),
    pack,
  )
  const found = [...faces].flatMap(([path, unit]) => (unit ? [{ path, unit }] : []))
  const people = [...Map.groupBy(found, ({ path }) => dirname(path))].map(([path, own]) => ({
    name: basename(path),
    pictures: own.map(({ unit }) => unit),
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

interface Label {
  /** Age in years. */
  readonly age: number
  /** Gender and group, for example `Asian women`. */
  readonly group: string
}

/** A labelled person, and the unit embedding of that person's picture. */
export interface Member extends Label {
  readonly unit: Float32Array
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
  is: (label: Label) => boolean = () => true,
): Promise<Member[]> {
  const files = (await readdir(folder)).sort().filter(file => {
    const label = labelOf(file)
    return label && is(label)
  })
  const faces = await readFaces(
    files.map(file => join(folder, file)),
    pack,
  )
  return [...faces].flatMap(([path, unit]) => (unit ? [{ unit, ...labelOf(path)! }] : []))
}
