/** People and their pictures, each with its embedding and with what our own networks take its age and gender for. */
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PlacedPack } from '../../models/packs.ts'
import { readFaces } from './read-faces.ts'

export interface Person {
  /** Unit embeddings of the pictures on which a face was found, one at least. */
  pictures: Float32Array[]
  /** Means of what was estimated of each picture. */
  age: number
  /** 0..1: the share of pictures that were taken for a woman's. */
  female: number
}

export interface People {
  people: Person[]
  /** Pictures without a face. */
  failures: number
}

/** Pictures of one person lie in a folder of his name; of several faces on one, that in the middle counts. */
export async function readPeople(
  folder: string,
  pack: PlacedPack,
  { limit, keep }: { limit?: number | undefined; keep?: string | undefined },
  onProgress: (done: number, total: number) => void,
): Promise<People> {
  const files = (await readdir(folder, { recursive: true }))
    .filter(file => /\.(jpe?g|png|webp)$/i.test(file) && dirname(file) !== '.')
    .sort()
    .slice(0, limit)
  const paths = files.map(file => join(folder, file))
  const faces = await readFaces(paths, pack, keep, onProgress)
  const found = [...faces].flatMap(([path, face]) => (face ? [{ path, ...face }] : []))
  const people = [...Map.groupBy(found, ({ path }) => dirname(path)).values()].map(own => ({
    pictures: own.map(({ unit }) => unit),
    age: mean(own.map(({ age }) => age)),
    female: mean(own.map(({ female }) => Number(female))),
  }))
  return { people, failures: files.length - found.length }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
