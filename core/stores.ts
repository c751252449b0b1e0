/** Opens the stores of a data folder: metadata, vectors and pictures. Tells the operator why they cannot be opened. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { removeLeftovers } from './backup/leftovers.ts'
import { ConfigurationError } from './configuration/environment.ts'
import { REMOVED_EMBEDDERS } from './embedding/label.ts'
import { type DiskSpace, type OnDiskSpace, openDiskSpace } from './files/disk-space.ts'
import { InstallationDamaged } from './files/record.ts'
import { DatabaseRefused } from './metadata/connection/address.ts'
import type { SharedSettings } from './metadata/connection/shared-settings.ts'
import {
  closeDatabase,
  type Database,
  METADATA_FILE,
  type MetadataSettings,
  openDatabase,
} from './metadata/database.ts'
import { type Lease, takeLease } from './operations/consistency/core-lease.ts'
import {
  checkInstallation,
  InstallationRefused,
  markInstallation,
  requireKnownVersion,
} from './operations/consistency/installation.ts'
import type { MissingVectors, OpenStores, Stores } from './operations/services.ts'
import { PicturesRefused } from './pictures/objects.ts'
import { openPictures, type PictureSettings } from './pictures/open.ts'
import type { PictureStore } from './pictures/pictures.ts'
import { GenerationMismatch } from './vector-store/generation.ts'
import { openVectorStore, type StoreSettings } from './vector-store/open.ts'
import { RowsDamaged } from './vector-store/rows/row-schema.ts'
import { ShardsLost } from './vector-store/sharding/recorded-shards.ts'
import { LayoutRefused } from './vector-store/vector-store.ts'

/**
 * Opens the stores of a data folder. Throws VectorFileLocked when another process has the folder open. Throws ConfigurationError
 * for a damaged file, lost data, an unusable database, other shards, another embedder, or data of a later version. Data of a later
 * version stays unchanged.
 */
export async function openStores(
  data: string,
  settings: StoreSettings &
    MetadataSettings &
    PictureSettings & { shares?: () => SharedSettings; onRoom?: OnDiskSpace } = {},
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
  const onDamage = (what: string, vectors = 0) => {
    missingVectors.vectors += vectors
    settings.onDamage?.(what)
  }
  // Open the vectors first: their lock excludes a second process from the whole folder.
  const vectors = await openOrExplain(folder, () => openVectorStore(folder, { ...settings, onDamage }))
  let pictures: PictureStore | undefined
  try {
    // The leftovers may belong to another user.
    await removeLeftovers(data).catch(() =>
      onDamage(`Copies that killed commands left in ${data} cannot be removed.`),
    )
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
) {
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
    if (error instanceof GenerationMismatch) throw new ConfigurationError(adviceFor(error), { cause: error })
    if (!codesOf(error).some(code => DAMAGED.has(code))) throw error
    const what = error instanceof RowsDamaged ? error.message : `${file} is damaged.`
    throw new ConfigurationError(`${what} Restore the data folder from a backup.`, { cause: error })
  }
}

/** Advice for the operator about vectors of another embedder. */
export const adviceFor = ({ message, stored }: GenerationMismatch): string =>
  REMOVED_EMBEDDERS.includes(stored)
    ? `The stored vectors are of ${stored}, an embedder of version 0.2 that was removed: run "mien models reembed".`
    : `${message} Choose the pack that made them, or convert them: mien models use | reembed.`

/** Codes of an error and of its causes. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  return ['code' in error ? String(error.code) : '', ...codesOf(error.cause)]
}
