/** Dependencies of the operations: opens the stores of a data folder and assembles the services. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { idSource } from '../../contract/ids.ts'
import {
  type Attributes,
  attributesAreOff,
  type RequestedAttributes,
} from '../../contract/model/attributes.ts'
import type { Scale } from '../calibration/scale.ts'
import { ConfigurationError } from '../configuration/environment.ts'
import { DEFAULT_OPTIONS, type Options } from '../configuration/options.ts'
import type { ShownFace } from '../embedding/estimator.ts'
import { type DiskSpace, type OnDiskSpace, openDiskSpace } from '../files/disk-space.ts'
import { InstallationDamaged } from '../files/record.ts'
import { DatabaseRefused } from '../metadata/connection/address.ts'
import type { SharedSettings } from '../metadata/connection/shared-settings.ts'
import {
  closeDatabase,
  type Database,
  METADATA_FILE,
  type MetadataSettings,
  openDatabase,
} from '../metadata/database.ts'
import { newestOfAll, ownersAbove } from '../metadata/queries/events.ts'
import type { LinkKeys } from '../pictures/links.ts'
import { PicturesRefused } from '../pictures/objects.ts'
import { openPictures, type PictureSettings } from '../pictures/open.ts'
import type { PictureStore } from '../pictures/pictures.ts'
import {
  GenerationMismatch,
  recordedGeneration,
  recordGeneration,
  servedNumber,
} from '../vector-store/generation.ts'
import { openVectorStore, type StoreSettings } from '../vector-store/open.ts'
import { RowsDamaged } from '../vector-store/rows/row-schema.ts'
import { ShardsLost } from '../vector-store/sharding/recorded-shards.ts'
import { LayoutRefused, type VectorStore } from '../vector-store/vector-store.ts'
import { checkInstallation, InstallationRefused, markInstallation } from './consistency/installation.ts'
import { requireKnownVersion } from './consistency/known-version.ts'
import { type Lease, takeLease } from './consistency/lease.ts'
import { localOwnerLock, type OwnerLock, sharedOwnerLock } from './consistency/owner-lock.ts'
import { type EventFeed, eventFeed } from './live-events/event-feed.ts'
import { type AuditRecorder, auditLog } from './upkeep/audit-log.ts'
import { storedEmbedder } from './upkeep/chosen-pack.ts'
import { type TokenUsage, tokenUsage } from './upkeep/token-usage.ts'

/** The stores of a data folder. */
export interface Stores {
  database: Database
  vectors: VectorStore
  pictures: PictureStore
  /** Present with a remote database, which several cores can share. A database in the data folder has one core. */
  lease?: Lease | undefined
  /** Lower bound of missing vectors of faces. Absent in commands that do not search. */
  missingVectors?: MissingVectors | undefined
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
  /** Requests per second of a token without its own rate. Undefined: no bound. */
  requestsPerSecond: number | undefined
}

/**
 * Opens the stores of a data folder. Throws VectorFileLocked when another process has the folder open. Throws
 * ConfigurationError for a damaged file, lost data, an unusable database, other shards, another embedder, or data of a
 * later version, which stays unchanged.
 */
export async function openStores(
  data: string,
  settings: StoreSettings &
    MetadataSettings &
    PictureSettings & { shares?: (() => SharedSettings) | undefined; onRoom?: OnDiskSpace | undefined } = {},
): Promise<OpenStores & { close(): Promise<void> }> {
  const folder = join(data, 'vectors')
  await openOrExplain(join(data, METADATA_FILE), () => requireKnownVersion(data, settings))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const diskSpace = await openDiskSpace(data, {
    folders: [folder, join(data, 'pictures')],
    news: settings.onRoom,
  })
  try {
    return await openInFolder(data, diskSpace, settings)
  } catch (error) {
    await diskSpace.close()
    throw error
  }
}

async function openInFolder(
  data: string,
  diskSpace: DiskSpace,
  settings: NonNullable<Parameters<typeof openStores>[1]>,
): ReturnType<typeof openStores> {
  const folder = join(data, 'vectors')
  const missingVectors: MissingVectors = { vectors: 0 }
  const onDamage = (what: string, vectors = 0): void => {
    missingVectors.vectors += vectors
    settings.onDamage?.(what)
  }
  // Open the vectors first: their lock excludes a second process from the whole folder.
  const vectors = await openOrExplain(folder, async () => {
    await recordEmbedder(folder, settings.embedder)
    return openVectorStore(folder, { ...settings, onDamage })
  })
  let pictures: PictureStore | undefined
  try {
    const opened = await openPictures(data, settings)
    pictures = opened
    const database = await openOrExplain(join(data, METADATA_FILE), () => openDatabase(data, settings))
    if (!settings.repair)
      await openOrExplain(data, () => requireInstallation(data, { database, vectors, settings }))
    const lease = settings.database && (await leaseOf(database, settings.shares))
    return {
      missingVectors,
      database,
      vectors,
      pictures: opened,
      diskSpace,
      lease,
      async close() {
        opened.close()
        await lease?.end()
        await diskSpace.close()
        await diskSpace.deleting(() => closeDatabase(database))
        await vectors.close()
      },
    }
  } catch (error) {
    pictures?.close()
    await vectors.close()
    throw error
  }
}

async function requireInstallation(
  data: string,
  { database, vectors, settings }: Pick<Stores, 'database' | 'vectors'> & { settings: MetadataSettings },
): Promise<void> {
  const services = { database, vectors, elsewhere: settings.database !== undefined }
  try {
    await checkInstallation(data, services)
    await markInstallation(data, services)
  } catch (error) {
    await closeDatabase(database)
    throw error
  }
}

async function leaseOf(database: Database, shares: (() => SharedSettings) | undefined): Promise<Lease> {
  try {
    return await takeLease(database, shares)
  } catch (error) {
    await closeDatabase(database)
    throw error
  }
}

/**
 * Records the embedder of a folder without a record: of an earlier version, or new. A new folder is recorded before its shards
 * are created. Otherwise an interrupted start would leave a folder that looks like one of an earlier version.
 */
async function recordEmbedder(folder: string, service: string | undefined): Promise<void> {
  if (await recordedGeneration(folder)) return
  const embedder = (await storedEmbedder(folder)) ?? service
  if (embedder !== undefined) await recordGeneration(folder, { number: await servedNumber(folder), embedder })
}

/** SQLite codes of a damaged file. */
const DAMAGED = new Set(['SQLITE_NOTADB', 'SQLITE_CORRUPT'])

/** Errors whose messages tell the operator what to do. */
const REFUSALS = [
  LayoutRefused,
  ShardsLost,
  DatabaseRefused,
  InstallationDamaged,
  InstallationRefused,
  PicturesRefused,
]

/** Result of `open`. Errors that need the operator become ConfigurationErrors with the name of the damaged file. */
async function openOrExplain<Opened>(file: string, open: () => Promise<Opened>): Promise<Opened> {
  try {
    return await open()
  } catch (error) {
    if (REFUSALS.some(refusal => error instanceof refusal))
      throw new ConfigurationError((error as Error).message, { cause: error })
    if (error instanceof GenerationMismatch) {
      const advice = 'Choose the pack that made them, or convert them: mien models use | reembed.'
      throw new ConfigurationError(`${error.message} ${advice}`, { cause: error })
    }
    if (!codesOf(error).some(code => DAMAGED.has(code))) throw error
    const what = error instanceof RowsDamaged ? error.message : `${file} is damaged.`
    throw new ConfigurationError(`${what} Restore the data folder from a backup.`, { cause: error })
  }
}

/** Codes of an error and of its causes. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  return ['code' in error ? String(error.code) : '', ...codesOf(error.cause)]
}

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
  now: Date.now,
  record: auditLog({ ...stores, now: Date.now }),
  ownerLock: stores.lease ? sharedOwnerLock(stores.database) : localOwnerLock(),
  activeIntents: new Set(),
  tokenUsage: tokenUsage(),
  events: eventFeed({
    newest: () => newestOfAll(stores.database),
    newerThan: above => ownersAbove(stores.database, above),
  }),
})
