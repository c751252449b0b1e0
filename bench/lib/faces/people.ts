/** Reads people and their pictures with embeddings and estimated age and gender. */
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PlacedPack } from '#models/packs.ts'
import { readFaces } from './read-faces.ts'

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

/** Reads a folder with one subfolder per person. The most central face of a picture counts. */
export async function readPeople(
  folder: string,
  pack: PlacedPack,
  { limit, cache }: { limit?: number | undefined; cache?: string | undefined },
  onProgress: (done: number, total: number) => void,
): Promise<People> {
  const files = (await readdir(folder, { recursive: true }))
    .filter(file => /\.(jpe?g|png|webp)$/i.test(file) && dirname(file) !== '.')
    .sort()
    .slice(0, limit)
  const paths = files.map(file => join(folder, file))
  const faces = await readFaces(paths, pack, cache, onProgress)
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
