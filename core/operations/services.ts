/** What the verbs are given: the stores they join, and the few things that differ between a service and a test. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scale } from '../calibration/scale.ts'
import { ConfigurationError } from '../configuration/environment.ts'
import { DEFAULT_OPTIONS, type Options } from '../configuration/options.ts'
import { idSource } from '../contract/ids.ts'
import { type Attributes, attributesAreOff, type RequestedAttributes } from '../contract/model/attributes.ts'
import type { ShownFace } from '../embedding/estimator.ts'
import { type DiskSpace, type OnDiskSpace, openDiskSpace } from '../files/disk-space.ts'
import { InstallationDamaged } from '../files/installation.ts'
import { DatabaseRefused } from '../metadata/connection/remembered-address.ts'
import type { SharedSettings } from '../metadata/connection/shared-settings.ts'
import {
  closeDatabase,
  type Database,
  METADATA_FILE,
  type MetadataSettings,
  openDatabase,
} from '../metadata/database.ts'
import type { LinkKeys } from '../pictures/links.ts'
import { openPictures, type PictureSettings } from '../pictures/open.ts'
import type { PictureStore } from '../pictures/pictures.ts'
import {
  OtherGeneration,
  recordedGeneration,
  recordGeneration,
  servedNumber,
} from '../vector-store/generation.ts'
import { openVectorStore, type StoreSettings } from '../vector-store/open.ts'
import { RowsDamaged } from '../vector-store/rows/row-schema.ts'
import { LayoutRefused } from '../vector-store/sharding/layout.ts'
import { ShardsLost } from '../vector-store/sharding/made-shards.ts'
import type { VectorStore } from '../vector-store/vector-store.ts'
import { checkInstallation, InstallationRefused, markInstallation } from './consistency/installation.ts'
import { type Lease, takeLease } from './consistency/lease.ts'
import { localOwnerLock, type OwnerLock, sharedOwnerLock } from './consistency/owner-lock.ts'
import { type AuditRecorder, auditLog } from './upkeep/audit-log.ts'
import { storedEmbedder } from './upkeep/chosen-pack.ts'
import { type TokenUsage, tokenUsage } from './upkeep/token-usage.ts'

/** Where everything is kept. */
export interface Stores {
  database: Database
  vectors: VectorStore
  pictures: PictureStore
  /** Where several cores may share the database; one that has it in its own folder is alone. */
  lease?: Lease | undefined
  /** How many vectors of faces are known to be missing, at least; absent where nothing is searched. */
  missingVectors?: MissingVectors | undefined
}

/** Vectors that faces should have and do not: counted at the start, and when damage is found. */
export interface MissingVectors {
  vectors: number
}

/** What is kept of new faces beyond what the service needs. */
export interface RetainedData {
  /** Thumbnails and normalized faces; links to those that are not kept lead nowhere. */
  pictures: boolean
  /** Names and URLs of photos; they are "" where they are not kept. */
  photoNames: boolean
}

/** The same, held open by the one process that may write to it. */
export interface OpenStores extends Stores {
  /** On the disk of the data folder. */
  diskSpace: DiskSpace
}

export interface Services extends OpenStores {
  /** The keys of links to pictures, as they are now. */
  links(): LinkKeys
  /** Chips of the pack's layout (RGB) in, one embedding each, in their order. */
  embed(chips: readonly Uint8Array[]): Promise<Float32Array[]>
  /** What comparisons of embeddings mean. */
  scale: Scale
  /** What is asked of these faces, in their order; emotions need thumbnails. Throws BAD_PARAM where that is off. */
  estimate(faces: readonly ShownFace[], asked: RequestedAttributes): Promise<Attributes[]>
  /** A new face id; rises. */
  nextId(): number
  /** Unix milliseconds. */
  now(): number
  options: Options
  keep: RetainedData
  /** One after the other for each owner: what must not run beside its like, in this core or another. */
  ownerLock: OwnerLock
  /** Writes down in the audit log. */
  record: AuditRecorder
  /** Ids of the works whose notes are their own business still. */
  activeIntents: Set<string>
  tokenUsage: TokenUsage
  /** What a token without a number of its own may ask for; without a bound when absent. */
  requestsPerSecond: number | undefined
}

/**
 * Opens the stores of a data folder. Throws VectorFileLocked when another process works in it, and ConfigurationError
 * naming a file that is damaged, a part that is lost, the database that can't be used, the shards or the embedder that it was made with.
 */
export async function openStores(
  data: string,
  settings: StoreSettings &
    MetadataSettings &
    PictureSettings & { shares?: (() => SharedSettings) | undefined; onRoom?: OnDiskSpace | undefined } = {},
): Promise<OpenStores & { close(): Promise<void> }> {
  const folder = join(data, 'vectors')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const diskSpace = await openDiskSpace(data, {
    folders: [folder, join(data, 'pictures')],
    news: settings.onRoom,
  })
  try {
    return await openIn(data, diskSpace, settings)
  } catch (error) {
    await diskSpace.close()
    throw error
  }
}

async function openIn(
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
  // The vectors come first: their lock keeps a second process from everything else.
  const vectors = await whole(folder, async () => {
    await recordMaker(folder, settings.embedder)
    return openVectorStore(folder, { ...settings, onDamage })
  })
  let pictures: PictureStore | undefined
  try {
    const opened = await openPictures(data, settings)
    pictures = opened
    const database = await whole(join(data, METADATA_FILE), () => openDatabase(data, settings))
    if (!settings.repair) await whole(data, () => requireInstallation(data, { database, vectors, settings }))
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
 * Writes down what made the vectors of a folder from before that was recorded; in a new folder, what will make them. A new
 * folder is marked before its shards are made: a start that is broken off would leave one that looks older.
 */
async function recordMaker(folder: string, service: string | undefined): Promise<void> {
  if (await recordedGeneration(folder)) return
  const embedder = (await storedEmbedder(folder)) ?? service
  if (embedder !== undefined) await recordGeneration(folder, { number: await servedNumber(folder), embedder })
}

/** What SQLite says of a file that is not what it wrote. */
const DAMAGED = new Set(['SQLITE_NOTADB', 'SQLITE_CORRUPT'])

/** Errors whose messages tell the operator what to do. */
const REFUSALS = [LayoutRefused, ShardsLost, DatabaseRefused, InstallationDamaged, InstallationRefused]

/** What `open` opens; a damaged file is named to the operator, who alone can put it right. */
async function whole<Opened>(file: string, open: () => Promise<Opened>): Promise<Opened> {
  try {
    return await open()
  } catch (error) {
    if (REFUSALS.some(refusal => error instanceof refusal))
      throw new ConfigurationError((error as Error).message, { cause: error })
    if (error instanceof OtherGeneration) {
      const advice = 'Choose the pack that made them, or convert them: npm run models -- use | reembed.'
      throw new ConfigurationError(`${error.message} ${advice}`, { cause: error })
    }
    if (!codesOf(error).some(code => DAMAGED.has(code))) throw error
    const what = error instanceof RowsDamaged ? error.message : `${file} is damaged.`
    throw new ConfigurationError(`${what} Restore the data folder from a backup.`, { cause: error })
  }
}

/** Codes of the error and of what caused it. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  return ['code' in error ? String(error.code) : '', ...codesOf(error.cause)]
}

/** The parts of a service: its stores, and what is given to it, by the clock of this machine. */
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
})
