/** A population with labels: one picture of each person, in files named as UTKFace does, `AGE_GENDER_GROUP_*.jpg`. */
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { PlacedPack } from '../../models/packs.ts'
import { type ReadFace, readFaces } from './read-faces.ts'

/** The second part of a file's name. */
const GENDERS = ['men', 'women']

/** The third. */
const GROUPS = ['White', 'Black', 'Asian', 'Indian', 'other']

export interface Label {
  /** In years. */
  readonly age: number
  /** Gender and group, such as `Asian women`. */
  readonly group: string
}

/** A labelled person, and the face of that person's picture. */
export interface Member extends Label {
  readonly path: string
  readonly face: ReadFace
}

/** What a file's name says; undefined where it says nothing. */
export function labelOf(path: string): Label | undefined {
  const [age, gender, group] = basename(path).split('_').map(Number)
  const [who, kind] = [GENDERS[gender ?? -1], GROUPS[group ?? -1]]
  return who && kind && Number.isFinite(age) ? { age: age!, group: `${kind} ${who}` } : undefined
}

/** Labelled pictures of a folder, by name. */
export async function labelledPaths(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter(file => labelOf(file)).sort()
  return files.map(file => join(folder, file))
}

/** Those on whose pictures a face is found; `is` chooses by label. */
export async function readPopulation(
  folder: string,
  pack: PlacedPack,
  { keep, is = () => true }: { keep?: string | undefined; is?: (label: Label) => boolean },
  onProgress: (done: number, total: number) => void,
): Promise<Member[]> {
  const paths = (await labelledPaths(folder)).filter(path => is(labelOf(path)!))
  const faces = await readFaces(paths, pack, keep, onProgress)
  return [...faces].flatMap(([path, face]) => (face ? [{ path, face, ...labelOf(path)! }] : []))
}
