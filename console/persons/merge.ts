/** Merges that can be undone: the faces of each merged person are noted before, and split off again. */
import type { MienClient, PersonSummary } from '../../clients/typescript/src/index.ts'
import { hasOwnMeta, type Named } from '../person-names.ts'

/** The most faces of one split. Source: contract/limits/faces.ts; a test compares them. */
export const MOST_SPLIT = 1_000

/** A merged person as it was. */
interface Part {
  id: number
  meta: string
  silent: boolean
  portrait: number | undefined
  faces: readonly number[]
}

export interface Merge {
  kept: PersonSummary
  /** Meta of the kept person before. A person without a name takes the only name of the others. */
  keptMeta: string
  /** Number of merged persons. */
  count: number
  /** Parts that an undo splits off. Empty: nothing can be undone. */
  parts: readonly Part[]
  /** An undo is in progress. */
  isUndoing?: boolean
  /** Persons that an undo has created. */
  created: readonly PersonSummary[]
}

/** Whether the faces can be split off again: in one split for each person, and not all faces of the kept one. */
export const canUndo = (kept: PersonSummary, others: readonly PersonSummary[]): boolean =>
  kept.count > 0 && others.every(({ count }) => count > 0 && count <= MOST_SPLIT)

/** Moves the faces of the others to the kept person, and deletes the others. */
export async function mergePersons(
  client: MienClient,
  kept: PersonSummary,
  others: readonly PersonSummary[],
): Promise<Merge> {
  const parts: Part[] = []
  for (const { id, meta, silent = false, portrait } of canUndo(kept, others) ? others : []) {
    const faces = await client.faces.list({ person_id: id, pageSize: MOST_SPLIT }).toArray()
    parts.push({ id, meta, silent, portrait, faces: faces.map(face => face.id) })
  }
  const ids = others.map(({ id }) => id)
  const merged = await client.persons.merge(kept.id, ids)
  return { kept: merged, keptMeta: kept.meta, count: others.length, parts, created: [] }
}

/** Splits the merged persons off again, with their ids. Reports each of them: after a failure, a repetition continues. */
export async function undoMerge(
  client: MienClient,
  merge: Merge,
  onStep: (merge: Merge) => void,
): Promise<void> {
  let { parts, created } = merge
  const { kept, keptMeta } = merge
  if (kept.meta !== keptMeta && (await client.persons.get(kept.id)).meta === kept.meta)
    await client.persons.update(kept.id, { meta: keptMeta })
  for (const { id, faces, meta, silent, portrait } of merge.parts) {
    const person = await client.persons.split(kept.id, faces, { meta, former_id: id })
    if (silent || portrait !== undefined) await client.persons.update(person.id, { meta, silent, portrait })
    created = [...created, person]
    parts = parts.slice(1)
    onStep({ ...merge, parts, created })
  }
}

/** The person that a merge keeps: a person with its own meta, else an ignored person, else the person with the lowest id. */
export const keptOf = <P extends Named & { silent?: boolean }>(persons: readonly P[]): P | undefined =>
  persons.toSorted(
    (a, b) =>
      Number(hasOwnMeta(b)) - Number(hasOwnMeta(a)) ||
      Number(b.silent ?? false) - Number(a.silent ?? false) ||
      a.id - b.id,
  )[0]
