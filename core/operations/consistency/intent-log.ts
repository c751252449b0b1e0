/** Settlement: vectors and pictures of the faces that notes name are made to agree with the metadata. */
import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../contract/limits.ts'
import { isDiskFull } from '../../files/disk-full.ts'
import { type FaceKeys, faceKeysOf } from '../../metadata/queries/faces.ts'
import {
  deleteNotes,
  type Note,
  nextNotes,
  notesOf,
  takeNotes,
  type Work,
} from '../../metadata/queries/intents.ts'
import { advance, Overtaken, revisionsOf, unlessOvertaken } from '../../metadata/revisions.ts'
import { PicturesAway } from '../../pictures/objects.ts'
import { StoreAway, type VectorKey } from '../../vector-store/vector-store.ts'
import type { Parts, Stores } from '../services.ts'
import { completeVectors } from './gallery-vectors.ts'
import { keysIn, vectorKeys } from './vector-keys.ts'

/** What is needed to note a work and to settle it. */
export type Noting = Stores & Pick<Parts, 'room' | 'inTurn' | 'underWay' | 'now' | 'record'>

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
  const mine = { id: randomUUID(), since: parts.now(), core: parts.lease?.core }
  parts.underWay.add(mine.id)
  try {
    const result = await work(mine)
    await settleWork(parts, mine).catch(() => {})
    return result
  } catch (error) {
    // What gave no answer may still do what it was told, even after it has answered to something else. A full disk is an answer.
    if (!isAway(error) || isDiskFull(error))
      await parts.room.deleting(() => settleWork(parts, mine)).catch(() => {})
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
 * Settles all notes from before a time (Unix milliseconds) but those of works under way, here or in another core that is
 * alive. Each owner's in turn: a change of a face must not come between what is read of it and what is removed.
 */
export async function settleNotes(parts: Noting, before: number): Promise<Settlement> {
  const sum = { settled: 0, vectorsRemoved: 0, picturesRemoved: 0, unsettled: 0 }
  for (let above = 0; ; ) {
    const left = { before, core: parts.lease?.core }
    const notes = await nextNotes(parts.database, above, left, LIMITS.settleStride)
    const last = notes.at(-1)
    if (!last) return sum
    const due = notes.filter(({ work }) => !parts.underWay.has(work))
    for (const [owner, theirs] of Map.groupBy(due, note => note.owner)) {
      const done = await parts.inTurn(owner, () =>
        parts.room.deleting(() => settle(parts, theirs)).catch(unlessAway),
      )
      sum.settled += done ? theirs.length : 0
      sum.unsettled += done ? 0 : theirs.length
      sum.vectorsRemoved += done?.vectors ?? 0
      sum.picturesRemoved += done?.pictures ?? 0
    }
    above = last.id
  }
}

/** For `catch`: what can't be done while the store, in part, or the bucket is away, or the disk is full, is left; any other trouble is thrown on. */
export function unlessAway(error: unknown): undefined {
  if (!isAway(error)) throw error
}

const isAway = (error: unknown): boolean =>
  error instanceof StoreAway || error instanceof PicturesAway || isDiskFull(error)

/** How often notes are settled anew whose faces another core keeps changing meanwhile. */
const TRIES = 10

/**
 * Removes what the rows do not ask for, and then the notes. Where several cores share the database the notes are taken first:
 * whoever was at them before can finish nothing any more.
 */
async function settle(parts: Stores, left: readonly Note[]) {
  const { database, lease } = parts
  const work = { id: randomUUID(), since: 0, core: lease?.core }
  const notes = lease ? await takeNotes(database, work, left) : left
  for (let tried = 1; ; tried++) {
    try {
      return await makeAgree(parts, notes)
    } catch (error) {
      if (!(error instanceof Overtaken) || tried === TRIES) throw error
    }
  }
}

/** Rejects with Overtaken when another core changed one of the faces meanwhile. */
async function makeAgree({ database, vectors, pictures, lease }: Stores, notes: readonly Note[]) {
  const byFace = Map.groupBy(notes, note => note.face)
  const owners = [...new Set(notes.map(({ owner }) => owner))]
  const revisions = lease ? await revisionsOf(database, owners) : []
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
  const standing = named.filter(({ id }) => rows.has(id))
  for (const face of lease ? standing : []) {
    const wanted = stillIn(face, rows.get(face.id))
    if (wanted.length > 0) await completeVectors(vectors, face, wanted)
  }
  // A face without a row never gets one again: only what has one can be changed by others meanwhile.
  const guards = revisions
    .filter(({ owner }) => standing.some(face => face.owner === owner))
    .map(({ owner, revision }) => advance(database, owner, revision))
  if (notes.length > 0) await unlessOvertaken(() => database.batch([deleteNotes(database, notes), ...guards]))
  return { vectors: vectorsRemoved.value.length, pictures: picturesRemoved.value }
}

/** The galleries of its notes that the face is in by its row: what another core removed there, it has to have. */
const stillIn = ({ galleries }: FaceKeys, row: FaceKeys | undefined): string[] =>
  galleries.filter(name => row?.galleries.includes(name))

/** Where a face may have a vector, by its notes, and should not, by its row. */
const strayKeys = (named: FaceKeys, row: FaceKeys | undefined): VectorKey[] =>
  row
    ? keysIn(
        named,
        named.galleries.filter(name => !row.galleries.includes(name)),
      )
    : vectorKeys(named)
