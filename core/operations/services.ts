/** Services of the operations: open stores, networks, options and a clock, assembled to one value. */
import { environment } from '../../contract/environment.ts'
import { idSource } from '../../contract/ids.ts'
import { EVIDENCE_LIMITS } from '../../contract/limits/events.ts'
import {
  type Attributes,
  attributesAreOff,
  type RequestedAttributes,
} from '../../contract/model/attributes.ts'
import type { RpcOperation, RpcRequest, RpcResponse } from '../../contract/operations/messages.ts'
import type { Scale } from '../calibration/scale.ts'
import { DEFAULT_OPTIONS, type Options } from '../configuration/options.ts'
import type { ShownFace } from '../embedding/estimator.ts'
import type { DiskSpace } from '../files/disk-space.ts'
import type { Database } from '../metadata/database.ts'
import { newestOfAll, ownersAbove } from '../metadata/positions.ts'
import type { LinkKeys } from '../pictures/links.ts'
import type { PictureStore } from '../pictures/pictures.ts'
import type { VectorStore } from '../vector-store/vector-store.ts'
import { type TokenUsage, tokenUsage } from './access/token-usage.ts'
import { type AuditRecorder, auditLog } from './audit-log/audit-log.ts'
import { type LiveView, liveView } from './cameras/live-view.ts'
import type { Lease } from './consistency/core-lease.ts'
import { localOwnerLock, type OwnerLock, sharedOwnerLock } from './consistency/owner-lock.ts'
import { type EventFeed, eventFeed } from './events/event-feed.ts'
import { type Preparations, preparations } from './faces/preparations.ts'
import { AlikenessCache } from './search/judgement/alikeness-cache.ts'

/** The stores of a data folder. */
export interface Stores {
  database: Database
  vectors: VectorStore
  pictures: PictureStore
  /** Present with a remote database, which several cores can share. A database in the data folder has one core. */
  lease?: Lease
  /** Lower bound of missing vectors of faces. Absent in commands that do not search. */
  missingVectors?: MissingVectors
}

/** Number of vectors that faces lack, counted at the start and when damage is found. */
export interface MissingVectors {
  vectors: number
}

/** Optional data that is stored with new faces. */
export interface RetainedData {
  /** Thumbnails and normalized pictures. Without them, links to pictures return NOT_FOUND. */
  pictures: boolean
  /** Names and URLs of photos. Without them, `photo` is "". */
  photoNames: boolean
}

/** Stores that are open in the process with exclusive write access. */
export interface OpenStores extends Stores {
  /** Free space of the disk of the data folder. */
  diskSpace: DiskSpace
}

/** Everything that operations need. */
export interface Services extends OpenStores {
  /** The current keys of links to pictures. */
  links(): LinkKeys
  /** Embeds chips of the pack's layout (8-bit RGB). Returns one embedding per chip, in the same order. */
  embed(chips: readonly Uint8Array[]): Promise<Float32Array[]>
  /** Computes scores and confidences of comparisons. */
  scale: Scale
  /** How alike the people of galleries are, as far as it was measured. */
  alikenesses: AlikenessCache
  /** Estimates attributes of faces, in the same order. Emotions need thumbnails. Throws BAD_PARAM when attributes are off. */
  estimate(faces: readonly ShownFace[], asked: RequestedAttributes): Promise<Attributes[]>
  /** A new face id, greater than the previous one. */
  nextId(): number
  /** Unix milliseconds. */
  now(): number
  options: Options
  keep: RetainedData
  /** Serialises tasks of one owner across all cores. */
  ownerLock: OwnerLock
  /** Writes an entry of the audit log. */
  record: AuditRecorder
  /** Ids of operations in progress in this process. Reconciliation skips their intents. */
  activeIntents: Set<string>
  tokenUsage: TokenUsage
  /** Wakes streams of live events. Closed with the service. */
  events: EventFeed
  /** Closed with the service. */
  liveView: LiveView
  /** Bounds exports of evidence at once. */
  exports: Pick<EventFeed, 'subscribe'>
  /** Faces of enrolments in progress. */
  preparations: Preparations
  /** Requests per second of a token without its own rate. Undefined: no bound. */
  requestsPerSecond: number | undefined
}

/** Handlers of messages by the names of the messages. Handlers that need more than these two arguments are in handlers.ts. */
export type Handlers = {
  [V in RpcOperation]: (services: Services, request: RpcRequest<V>) => Promise<RpcResponse<V>>
}

/** What operations need that read and change metadata alone. */
export type Metadata = Pick<Services, 'database'>

/** Assembles the services from open stores and the given dependencies, with the clock of this machine. */
export const servicesOf = (
  stores: OpenStores,
  given: Pick<Services, 'links' | 'embed' | 'scale'> &
    Partial<Pick<Services, 'options' | 'keep' | 'estimate' | 'requestsPerSecond'>>,
): Services => ({
  options: DEFAULT_OPTIONS,
  keep: { pictures: true, photoNames: true },
  estimate: async (_, asked) => {
    throw attributesAreOff(asked)
  },
  requestsPerSecond: undefined,
  ...stores,
  ...given,
  nextId: idSource(),
  now: environment.now,
  record: auditLog({ ...stores, now: environment.now }),
  ownerLock: stores.lease ? sharedOwnerLock(stores.database) : localOwnerLock(),
  activeIntents: new Set(),
  alikenesses: new AlikenessCache(),
  tokenUsage: tokenUsage(),
  events: eventFeed({
    newest: () => newestOfAll(stores.database),
    newerThan: above => ownersAbove(stores.database, above),
  }),
  liveView: liveView(),
  exports: eventFeed(undefined, undefined, {
    streams: EVIDENCE_LIMITS.exports,
    streamsPerOwner: EVIDENCE_LIMITS.exportsPerOwner,
    subject: 'exports of evidence',
  }),
  preparations: preparations(),
})
