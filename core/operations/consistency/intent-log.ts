/** Intent log: runs operations with intents, and reconciles vectors and pictures of their faces with the metadata. */
import { environment, retry, sleep } from '../../../contract/environment.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { isDiskFull } from '../../files/disk-space.ts'
import { outsideChange } from '../../metadata/connection/change.ts'
import { type FaceKeys, faceKeysOf } from '../../metadata/faces/faces.ts'
import {
  deleteIntents,
  type Intent,
  type IntentOperation,
  intentsOfWork,
  nextIntents,
  takeIntents,
} from '../../metadata/faces/intents.ts'
import { advance, ConcurrentChange, detectConcurrentChange, revisionsOf } from '../../metadata/revisions.ts'
import { PicturesUnavailable } from '../../pictures/objects.ts'
import { StoreUnavailable } from '../../vector-store/vector-store.ts'
import { AuditLogUnavailable } from '../audit-log/audit-log.ts'
import type { Services, Stores } from '../services.ts'
import { completeVectors, keysIn, vectorKeys } from './face-vectors.ts'

/** Services that operations with intents and their reconciliation need. */
export type IntentServices = Stores &
  Pick<Services, 'diskSpace' | 'ownerLock' | 'activeIntents' | 'now' | 'record'>

/** Result of a reconciliation. `pending` intents stay because a shard, the bucket or disk space is unavailable. */
export interface ReconciledIntents {
  reconciled: number
  vectorsRemoved: number
  picturesRemoved: number
  pending: number
}

/**
 * Runs an operation that writes intents. Reconciles its remaining intents before it returns or rejects. If that fails, the
 * intents stay for a later reconciliation. With `answerMs`, it returns after that time, and the reconciliation continues. `onGone`
 * receives faces without a row after an error.
 */
export async function withIntent<Result>(
  services: IntentServices,
  run: (operation: IntentOperation) => Promise<Result>,
  { onGone, answerMs }: { onGone?: OnGone; answerMs?: number } = {},
): Promise<Result> {
  const operation = { id: environment.id(), since: services.now(), core: services.lease?.core }
  services.activeIntents.add(operation.id)
  let reconciled: Promise<void> | undefined
  try {
    const result = await run(operation)
    reconciled = reconcileOperation(services, operation).catch(() => {})
    await (answerMs === undefined ? reconciled : Promise.race([reconciled, sleep(answerMs, { ref: false })]))
    return result
  } catch (error) {
    // A shard or bucket without a response may still execute the write: leave its intents for later. A full disk is a response.
    // Without an entry in the audit log, the intents stay, too: their reconciliation writes one.
    if (!(error instanceof AuditLogUnavailable) && (!isUnavailable(error) || isDiskFull(error)))
      await outsideChange(() =>
        services.diskSpace.deleting(() => reconcileOperation(services, operation, onGone)),
      ).catch(() => {})
    throw error
  } finally {
    void Promise.resolve(reconciled).then(() => services.activeIntents.delete(operation.id))
  }
}

/**
 * As `withIntent`, for an operation that deletes faces of the owner. An error can follow a commit whose answer was lost: faces that are
 * gone then are recorded.
 */
export const withDeletion = <Result>(
  services: IntentServices,
  owner: string,
  run: (operation: IntentOperation) => Promise<Result>,
  answerMs?: number,
): Promise<Result> => withIntent(services, run, { onGone: interruptedDeletion(services, owner), answerMs })

async function reconcileOperation(services: Stores, work: IntentOperation, onGone?: OnGone) {
  for (;;) {
    const intents = await intentsOfWork(services.database, work, FACE_LIMITS.reconcileBatch)
    if (intents.length === 0) return
    await reconcileBatch(services, intents, onGone)
  }
}

/** Receives faces without a row, and the persons that were to be deleted with them. */
type OnGone = (faces: number[], persons: number[]) => Promise<void>

const interruptedDeletion =
  ({ record }: IntentServices, owner: string): OnGone =>
  (faces, persons) =>
    record({
      actor: 'service',
      action: 'faces.delete',
      owner,
      subject: { because: 'interrupted', faces, persons },
    })

/**
 * Reconciles all intents older than `before` (Unix milliseconds), except the intents of operations in progress in this core or in
 * another live core. Holds the lock of each owner: a face must not change between the read and the removal. Records deleted faces
 * in the audit log: the deletion may have stopped before its entry, and a restore has to repeat it.
 */
export async function reconcileIntents(services: IntentServices, before: number): Promise<ReconciledIntents> {
  const sum = { reconciled: 0, vectorsRemoved: 0, picturesRemoved: 0, pending: 0 }
  for (let above = 0; ; ) {
    const candidates = { before, core: services.lease?.core }
    const intents = await nextIntents(services.database, above, candidates, FACE_LIMITS.reconcileBatch)
    const last = intents.at(-1)
    if (!last) return sum
    const due = intents.filter(({ operation }) => !services.activeIntents.has(operation))
    for (const [owner, ofOwner] of Map.groupBy(due, intent => intent.owner)) {
      const done = await services.ownerLock(owner, () =>
        services.diskSpace
          .deleting(() => reconcileBatch(services, ofOwner, interruptedDeletion(services, owner)))
          .catch(ignoreUnavailable),
      )
      sum.reconciled += done ? ofOwner.length : 0
      sum.pending += done ? 0 : ofOwner.length
      sum.vectorsRemoved += done?.vectors ?? 0
      sum.picturesRemoved += done?.pictures ?? 0
    }
    above = last.id
  }
}

/** Records faces that the service deleted, at most STORE_LIMITS.auditIds, and the operation that caused the deletion. */
export const recordDeletion = (
  { record }: Pick<IntentServices, 'record'>,
  { owner, faces, because }: { owner: string; faces: readonly number[]; because: string },
): Promise<void> => record({ actor: 'service', action: 'faces.delete', owner, subject: { because, faces } })

/** For `catch`: ignores an unavailable shard, bucket or audit log, and a full disk. Rethrows other errors. */
export function ignoreUnavailable(error: unknown): undefined {
  if (!isUnavailable(error)) throw error
}

const isUnavailable = (error: unknown) =>
  error instanceof StoreUnavailable ||
  error instanceof PicturesUnavailable ||
  isDiskFull(error) ||
  error instanceof AuditLogUnavailable

/** Attempts to reconcile intents whose faces another core changes at the same time. */
const MAX_ATTEMPTS = 10

/**
 * Removes vectors and pictures that the metadata does not need, then removes the intents. On a shared database it takes over the
 * intents first: the operation that wrote them can no longer commit. A core that only seems dead may still write vectors and
 * pictures: its intents of faces without a row stay, and are reconciled again when they are older than any request. `onGone`
 * receives the faces without a row.
 */
async function reconcileBatch(services: Stores, candidates: readonly Intent[], onGone?: OnGone) {
  const { database, lease } = services
  const work = { id: environment.id(), since: 0, core: lease?.core }
  const intents = lease ? await takeIntents(database, work, candidates) : candidates
  const ofOthers = candidates.filter(({ core }) => lease && core !== null && core !== lease.core)
  const late = new Set(ofOthers.map(({ id }) => id))
  return retry(() => alignWithMetadata(services, intents, late, onGone), {
    isTemporary: error => error instanceof ConcurrentChange,
    attempts: MAX_ATTEMPTS,
  })
}

/**
 * Rejects with ConcurrentChange when another core changed one of the faces at the same time. Intents of `late` stay if their face has
 * no row.
 */
async function alignWithMetadata(
  { database, vectors, pictures, lease }: Stores,
  intents: readonly Intent[],
  late: ReadonlySet<number>,
  onGone?: OnGone,
) {
  const byFace = Map.groupBy(intents, intent => intent.face)
  const owners = [...new Set(intents.map(({ owner }) => owner))]
  const revisions = lease ? await revisionsOf(database, owners) : []
  const rows = new Map((await faceKeysOf(database, [...byFace.keys()])).map(row => [row.id, row]))
  const named = [...byFace].map(([id, [first, ...more]]) => ({
    id,
    owner: first!.owner,
    galleries: [...new Set([first!, ...more].flatMap(intent => intent.galleries))],
  }))
  const gone = named.filter(({ id }) => !rows.has(id))
  // Try both: one of them may be available while the other is not.
  const [picturesRemoved, vectorsRemoved] = await Promise.allSettled([
    pictures.remove(gone),
    vectors.remove(named.flatMap(face => unusedVectorKeys(face, rows.get(face.id)))),
  ])
  if (picturesRemoved.status === 'rejected') throw picturesRemoved.reason
  if (vectorsRemoved.status === 'rejected') throw vectorsRemoved.reason
  const existingFaces = named.filter(({ id }) => rows.has(id))
  for (const face of lease ? existingFaces : []) {
    const wanted = remainingGalleries(face, rows.get(face.id))
    if (wanted.length > 0) await completeVectors(vectors, face, wanted)
  }
  const persons = new Set(intents.flatMap(({ face, person }) => (rows.has(face) ? [] : (person ?? []))))
  if (gone.length > 0)
    await onGone?.(
      gone.map(({ id }) => id),
      [...persons],
    )
  // A face without a row never gets a row again. Only faces with a row need a guard against concurrent changes.
  const guards = revisions
    .filter(({ owner }) => existingFaces.some(face => face.owner === owner))
    .map(({ owner, revision }) => advance(database, owner, revision))
  const settled = intents.filter(({ id, face }) => rows.has(face) || !late.has(id))
  if (settled.length > 0)
    await detectConcurrentChange(() => database.batch([deleteIntents(database, settled), ...guards]))
  return { vectors: vectorsRemoved.value.length, pictures: picturesRemoved.value }
}

/** Galleries of the intents that contain the face by its row. It needs a vector there, even if another core removed it. */
const remainingGalleries = ({ galleries }: FaceKeys, row: FaceKeys | undefined) =>
  galleries.filter(name => row?.galleries.includes(name))

/** Keys of vectors that a face may have by its intents, and must not have by its row. */
const unusedVectorKeys = (named: FaceKeys, row: FaceKeys | undefined) =>
  row
    ? keysIn(
        named,
        named.galleries.filter(name => !row.galleries.includes(name)),
      )
    : vectorKeys(named)
