/** Reads a labelled population: one picture per person, with file names as in UTKFace, `AGE_GENDER_GROUP_*.jpg`. */
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { PlacedPack } from '#models/packs.ts'
import { type ReadFace, readFaces } from './read-faces.ts'

/** Values of the second part of a file name. */
const GENDERS = ['men', 'women']

/** Values of the third part of a file name. */
const GROUPS = ['White', 'Black', 'Asian', 'Indian', 'other']

export interface Label {
  /** Age in years. */
  readonly age: number
  /** Gender and group, for example `Asian women`. */
  readonly group: string
}

/** A labelled person, and the face on that person's picture. */
export interface Member extends Label {
  readonly path: string
  readonly face: ReadFace
}

/** The label in a file name; undefined without one. */
export function labelOf(path: string): Label | undefined {
  const [age, gender, group] = basename(path).split('_').map(Number)
  const [who, kind] = [GENDERS[gender ?? -1], GROUPS[group ?? -1]]
  return who && kind && Number.isFinite(age) ? { age: age!, group: `${kind} ${who}` } : undefined
}

/** Paths of the labelled pictures of a folder, sorted by name. */
export async function labelledPaths(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter(file => labelOf(file)).sort()
  return files.map(file => join(folder, file))
}

/** Reads the people with a detected face. `is` filters by label. */
export async function readPopulation(
  folder: string,
  pack: PlacedPack,
  { cache, is = () => true }: { cache?: string | undefined; is?: (label: Label) => boolean },
  onProgress: (done: number, total: number) => void,
): Promise<Member[]> {
  const paths = (await labelledPaths(folder)).filter(path => is(labelOf(path)!))
  const faces = await readFaces(paths, pack, cache, onProgress)
  return [...faces].flatMap(([path, face]) => (face ? [{ path, face, ...labelOf(path)! }] : []))
}
