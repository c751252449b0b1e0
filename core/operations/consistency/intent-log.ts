/** Settlement: vectors and pictures of the faces that notes name are made to agree with the metadata. */
import { randomUUID } from 'node:crypto'
import { LIMITS } from '../../contract/limits.ts'
import { isDiskFull } from '../../files/disk-full.ts'
import { type FaceKeys, faceKeysOf } from '../../metadata/queries/faces.ts'
import {
  deleteIntents,
  type Intent,
  type IntentWork,
  intentsOfWork,
  nextIntents,
  takeIntents,
} from '../../metadata/queries/intents.ts'
import { advance, ConcurrentChange, detectConcurrentChange, revisionsOf } from '../../metadata/revisions.ts'
import { PicturesUnavailable } from '../../pictures/objects.ts'
import { StoreUnavailable, type VectorKey } from '../../vector-store/vector-store.ts'
import type { Services, Stores } from '../services.ts'
import { completeVectors } from './gallery-vectors.ts'
import { keysIn, vectorKeys } from './vector-keys.ts'

/** What is needed to note a work and to settle it. */
export type IntentServices = Stores &
  Pick<Services, 'diskSpace' | 'ownerLock' | 'activeIntents' | 'now' | 'record'>

/** What was done, and how many notes stay because the store is away in part. */
export interface ReconciledIntents {
  reconciled: number
  vectorsRemoved: number
  picturesRemoved: number
  pending: number
}

/**
 * Does a work that writes notes. What it leaves noted, done or failed, is settled before its outcome is told; where
 * that does not succeed the notes stay, and are settled later.
 */
export async function withIntent<Result>(
  services: IntentServices,
  work: (work: IntentWork) => Promise<Result>,
): Promise<Result> {
  const mine = { id: randomUUID(), since: services.now(), core: services.lease?.core }
  services.activeIntents.add(mine.id)
  try {
    const result = await work(mine)
    await settleWork(services, mine).catch(() => {})
    return result
  } catch (error) {
    // What gave no answer may still do what it was told, even after it has answered to something else. A full disk is an answer.
    if (!isDatabaseUnavailable(error) || isDiskFull(error))
      await services.diskSpace.deleting(() => settleWork(services, mine)).catch(() => {})
    throw error
  } finally {
    services.activeIntents.delete(mine.id)
  }
}

async function settleWork(services: Stores, work: IntentWork): Promise<void> {
  for (;;) {
    const notes = await intentsOfWork(services.database, work, LIMITS.settleStride)
    if (notes.length === 0) return
    await settle(services, notes)
  }
}

/**
 * Settles all notes from before a time (Unix milliseconds) but those of works under way, here or in another core that is
 * alive. Each owner's in turn: a change of a face must not come between what is read of it and what is removed.
 */
export async function reconcileIntents(services: IntentServices, before: number): Promise<ReconciledIntents> {
  const sum = { reconciled: 0, vectorsRemoved: 0, picturesRemoved: 0, pending: 0 }
  for (let above = 0; ; ) {
    const left = { before, core: services.lease?.core }
    const notes = await nextIntents(services.database, above, left, LIMITS.settleStride)
    const last = notes.at(-1)
    if (!last) return sum
    const due = notes.filter(({ work }) => !services.activeIntents.has(work))
    for (const [owner, theirs] of Map.groupBy(due, note => note.owner)) {
      const done = await services.ownerLock(owner, () =>
        services.diskSpace.deleting(() => settle(services, theirs)).catch(ignoreUnavailable),
      )
      sum.reconciled += done ? theirs.length : 0
      sum.pending += done ? 0 : theirs.length
      sum.vectorsRemoved += done?.vectors ?? 0
      sum.picturesRemoved += done?.pictures ?? 0
    }
    above = last.id
  }
}

/** For `catch`: what can't be done while the store, in part, or the bucket is away, or the disk is full, is left; any other trouble is thrown on. */
export function ignoreUnavailable(error: unknown): undefined {
  if (!isDatabaseUnavailable(error)) throw error
}

const isDatabaseUnavailable = (error: unknown): boolean =>
  error instanceof StoreUnavailable || error instanceof PicturesUnavailable || isDiskFull(error)

/** How often notes are settled anew whose faces another core keeps changing meanwhile. */
const TRIES = 10

/**
 * Removes what the rows do not ask for, and then the notes. Where several cores share the database the notes are taken first:
 * whoever was at them before can finish nothing any more.
 */
async function settle(services: Stores, left: readonly Intent[]) {
  const { database, lease } = services
  const work = { id: randomUUID(), since: 0, core: lease?.core }
  const notes = lease ? await takeIntents(database, work, left) : left
  for (let tried = 1; ; tried++) {
    try {
      return await makeAgree(services, notes)
    } catch (error) {
      if (!(error instanceof ConcurrentChange) || tried === TRIES) throw error
    }
  }
}

/** Rejects with Overtaken when another core changed one of the faces meanwhile. */
async function makeAgree({ database, vectors, pictures, lease }: Stores, notes: readonly Intent[]) {
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
  if (notes.length > 0)
    await detectConcurrentChange(() => database.batch([deleteIntents(database, notes), ...guards]))
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
