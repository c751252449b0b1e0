/** Settlement: vectors and pictures of the faces that notes name are made to agree with the metadata. */
import { randomUUID } from 'node:crypto'
import { LIMITS } from '../contract/limits.ts'
import { type FaceKeys, faceKeysOf } from '../metadata/faces.ts'
import { deleteNotes, type Note, nextNotes, notesOf, type Work } from '../metadata/unsettled.ts'
import { PicturesAway } from '../pictures/objects.ts'
import { StoreAway, type VectorKey } from '../store/store.ts'
import type { Parts, Stores } from './parts.ts'
import { keysIn, vectorKeys } from './traces.ts'

/** What is needed to note a work and to settle it. */
export type Noting = Stores & Pick<Parts, 'inTurn' | 'underWay' | 'now' | 'record'>

/** What was done, and how many notes stay because the store is away in part. */
export interface Settlement {
  settled: number
  vectorsRemoved: number
  picturesRemoved: number
  unsettled: number
}

/**
 * Does a work that writes notes. What it leaves noted, done or failed, is settled before its outcome is told; where
 * that does not succeed the notes stay, and are settled later.
 */
export async function noted<Result>(parts: Noting, work: (work: Work) => Promise<Result>): Promise<Result> {
  const mine = { id: randomUUID(), since: parts.now() }
  parts.underWay.add(mine.id)
  try {
    const result = await work(mine)
    await settleWork(parts, mine).catch(() => {})
    return result
  } catch (error) {
    // What gave no answer may still do what it was told, even after it has answered to something else.
    if (!isAway(error)) await settleWork(parts, mine).catch(() => {})
    throw error
  } finally {
    parts.underWay.delete(mine.id)
  }
}

async function settleWork(parts: Stores, work: Work): Promise<void> {
  for (;;) {
    const notes = await notesOf(parts.database, work, LIMITS.settleStride)
    if (notes.length === 0) return
    await settle(parts, notes)
  }
}

/**
 * Settles all notes from before a time (Unix milliseconds) but those of works under way. Each owner's in turn: a change
 * of a face must not come between what is read of it and what is removed.
 */
export async function settleNotes(parts: Noting, before: number): Promise<Settlement> {
  const sum = { settled: 0, vectorsRemoved: 0, picturesRemoved: 0, unsettled: 0 }
  for (let above = 0; ; ) {
    const notes = await nextNotes(parts.database, above, before, LIMITS.settleStride)
    const last = notes.at(-1)
    if (!last) return sum
    const due = notes.filter(({ work }) => !parts.underWay.has(work))
    for (const [owner, theirs] of Map.groupBy(due, note => note.owner)) {
      const done = await parts.inTurn(owner, () => settle(parts, theirs).catch(unlessAway))
      sum.settled += done ? theirs.length : 0
      sum.unsettled += done ? 0 : theirs.length
      sum.vectorsRemoved += done?.vectors ?? 0
      sum.picturesRemoved += done?.pictures ?? 0
    }
    above = last.id
  }
}

/** For `catch`: what can't be done while a part of the store, or the bucket of pictures, is away is left; any other trouble is thrown on. */
export function unlessAway(error: unknown): undefined {
  if (!isAway(error)) throw error
}

const isAway = (error: unknown): boolean => error instanceof StoreAway || error instanceof PicturesAway

/** Removes what the rows do not ask for, and then the notes. */
async function settle({ database, vectors, pictures }: Stores, notes: readonly Note[]) {
  const byFace = Map.groupBy(notes, note => note.face)
  const rows = new Map((await faceKeysOf(database, [...byFace.keys()])).map(row => [row.id, row]))
  const named = [...byFace].map(([id, [first, ...more]]) => ({
    id,
    owner: first!.owner,
    galleries: [...new Set([first!, ...more].flatMap(note => note.galleries))],
  }))
  // Whatever is away, the other is at hand.
  const [picturesRemoved, vectorsRemoved] = await Promise.allSettled([
    pictures.remove(named.filter(({ id }) => !rows.has(id))),
    vectors.remove(named.flatMap(face => strayKeys(face, rows.get(face.id)))),
  ])
  if (picturesRemoved.status === 'rejected') throw picturesRemoved.reason
  if (vectorsRemoved.status === 'rejected') throw vectorsRemoved.reason
  await deleteNotes(database, notes)
  return { vectors: vectorsRemoved.value.length, pictures: picturesRemoved.value }
}

/** Where a face may have a vector, by its notes, and should not, by its row. */
const strayKeys = (named: FaceKeys, row: FaceKeys | undefined): VectorKey[] =>
  row
    ? keysIn(
        named,
        named.galleries.filter(name => !row.galleries.includes(name)),
      )
    : vectorKeys(named)
