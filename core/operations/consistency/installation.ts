/** Checks at the start: no part of the data is of a later version or another installation, and no part is lost. */
import { join } from 'node:path'
import { environment } from '../../../contract/environment.ts'
import { type Installation, readInstallation, writeInstallation } from '../../files/record.ts'
import {
  claimInstallation,
  installationOf,
  isUnused,
  replaceInstallation,
} from '../../metadata/connection/cores.ts'
import { type Database, type MetadataSettings, requireKnownMetadata } from '../../metadata/database.ts'
import {
  holdsPictures,
  isPicturesFolder,
  markedPictures,
  markPictures,
  recordedBucket,
} from '../../pictures/open.ts'
import { requireKnownStore } from '../../vector-store/open.ts'
import { LOCAL, recordedLayout } from '../../vector-store/sharding/layout.ts'
import { readRecordedShards, recordStoreInstallation } from '../../vector-store/sharding/recorded-shards.ts'
import { StoreUnavailable, type VectorStore } from '../../vector-store/vector-store.ts'

/** A part of the installation is lost or belongs to another installation. The message says which, and what to do. */
export class InstallationRefused extends Error {
  override readonly name = 'InstallationRefused'
}

/** Opened parts of an installation. */
interface OpenedParts {
  database: Database
  vectors: VectorStore
  /** Whether the metadata is in a remote database, which other cores can share. */
  elsewhere: boolean
}

/** Installation id recorded in each part; undefined in a part without a record. */
interface Marks {
  folder: Installation | undefined
  metadata: string | undefined
  vectors: string | undefined
  pictures: string | undefined
  /** Whether this folder contains shards, and pictures, by its configuration. */
  configured: { vectors: boolean; pictures: boolean }
}

/** Throws InstallationRefused when a part is lost or foreign. Accepts a folder without marks, of an interrupted first start. */
export async function checkInstallation(data: string, services: OpenedParts): Promise<void> {
  const marks = await marksOf(data, services)
  const fault = foreignPart(data, marks) ?? (await lostPart(data, services, marks))
  if (fault !== undefined)
    throw new InstallationRefused(
      `${fault} Restore the data folder from a backup, or see what is left: mien store repair`,
    )
}

/** Writes the installation id to all parts. The folder is marked before the metadata: see `lostPart`. */
export async function markInstallation(data: string, services: OpenedParts): Promise<void> {
  const marks = await marksOf(data, services)
  await mark(data, services, marks, marks.metadata ?? marks.folder?.id ?? marks.vectors ?? environment.id())
}

/** Marks the present parts as the whole installation. Lost parts are abandoned. */
export async function acceptInstallation(data: string, services: OpenedParts): Promise<void> {
  const marks = await marksOf(data, services)
  const id = services.elsewhere && marks.metadata !== undefined ? marks.metadata : environment.id()
  if (!services.elsewhere) await replaceInstallation(services.database, id)
  await mark(data, services, marks, id)
}

async function mark(data: string, services: OpenedParts, marks: Marks, id: string) {
  await markFolder(data, services, marks, id)
  const claimed = await claimInstallation(services.database, id)
  // Of several cores that start with a new shared database, the first one claims it. The others take over its id.
  if (claimed !== id) await markFolder(data, services, marks, claimed)
}

async function markFolder(
  data: string,
  { elsewhere }: OpenedParts,
  { configured, folder }: Marks,
  id: string,
) {
  if (configured.vectors) await recordStoreInstallation(join(data, 'vectors'), id)
  if (configured.pictures) await markPictures(data, id)
  const record: Installation = { version: 1, id, metadata: elsewhere ? 'elsewhere' : 'file', ...configured }
  if (JSON.stringify(folder) !== JSON.stringify(record)) await writeInstallation(data, record)
}

async function marksOf(data: string, { database }: OpenedParts): Promise<Marks> {
  const folder = join(data, 'vectors')
  const layout = (await recordedLayout(folder)) ?? []
  const configured = {
    vectors: layout.some(({ address }) => address === LOCAL),
    pictures: await isPicturesFolder(data),
  }
  return {
    configured,
    folder: await readInstallation(data),
    metadata: await installationOf(database),
    vectors: configured.vectors ? (await readRecordedShards(folder))?.installation : undefined,
    pictures: configured.pictures ? await markedPictures(data) : undefined,
  }
}

/** Describes a part that belongs to another installation; undefined if there is none. */
function foreignPart(data: string, { folder, metadata, vectors, pictures }: Marks): string | undefined {
  const id = folder?.id ?? metadata
  if (id === undefined) return undefined
  if (metadata !== undefined && metadata !== id) return `The metadata of ${data} is of another installation.`
  if (vectors !== undefined && vectors !== id) return `${join(data, 'vectors')} is of another installation.`
  if (pictures !== undefined && pictures !== id)
    return `${join(data, 'pictures')} is of another installation.`
  return undefined
}

/**
 * Describes a part that is empty although it was in use; undefined if there is none. Empty parts without marks can also come
 * from an interrupted start.
 */
async function lostPart(
  data: string,
  { database, vectors }: OpenedParts,
  marks: Marks,
): Promise<string | undefined> {
  const { folder, configured } = marks
  const hasPictures = configured.pictures && (await holdsPictures(data))
  const hasVectors = await holdsVectors(vectors)
  if (marks.metadata === undefined && (hasPictures || (folder && hasVectors)) && (await isUnused(database)))
    return `The metadata of ${data} is new, and there are vectors or pictures of faces: their metadata is lost.`
  const wasServed = folder ? folder.vectors : marks.metadata !== undefined
  if (configured.vectors && wasServed && marks.vectors === undefined && !hasVectors)
    return `${join(data, 'vectors')} is new, and ${data} has been in use: its vectors are lost.`
  if (configured.pictures && folder?.pictures && marks.pictures === undefined && !hasPictures)
    return `${join(data, 'pictures')} is empty, and held pictures: they are lost, or their volume is not mounted.`
  return undefined
}

/** Whether the store contains vectors. An unavailable store counts as not empty. */
async function holdsVectors(vectors: VectorStore) {
  try {
    return (await vectors.galleries()).length > 0
  } catch (error) {
    if (error instanceof StoreUnavailable) return true
    throw error
  }
}

/**
 * Throws InstallationDamaged, PicturesRefused or LayoutRefused when a later version wrote a record or the vectors, and
 * when a record is damaged. Changes nothing.
 */
async function requireKnownFiles(data: string) {
  await readInstallation(data)
  await recordedBucket(data)
  await requireKnownStore(join(data, 'vectors'))
}

/** Like `requireKnownFiles`. Throws DatabaseRefused when a later version migrated the metadata. */
export async function requireKnownVersion(data: string, settings: MetadataSettings): Promise<void> {
  await requireKnownFiles(data)
  await requireKnownMetadata(data, settings)
}
