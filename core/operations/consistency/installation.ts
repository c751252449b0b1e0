/** Checks at the start that metadata, vectors and pictures are of one installation, and that none of them is lost. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Installation, readInstallation, writeInstallation } from '../../files/installation.ts'
import {
  claimInstallation,
  installationOf,
  isUnused,
  replaceInstallation,
} from '../../metadata/connection/installation.ts'
import type { Database } from '../../metadata/database.ts'
import { holdsPictures, isPicturesFolder, markedPictures, markPictures } from '../../pictures/open.ts'
import { LOCAL, recordedLayout } from '../../vector-store/sharding/layout.ts'
import { readMadeShards, recordStoreInstallation } from '../../vector-store/sharding/made-shards.ts'
import { StoreUnavailable, type VectorStore } from '../../vector-store/vector-store.ts'

/** A part of the installation is lost, or another one's; the message tells the operator which, and what to do. */
export class InstallationRefused extends Error {
  override readonly name = 'InstallationRefused'
}

export interface OpenedParts {
  database: Database
  vectors: VectorStore
  /** Whether the metadata is elsewhere, where other cores may have it too. */
  elsewhere: boolean
}

/** What each part says of the installation that it belongs to; undefined where it says nothing. */
interface Marks {
  folder: Installation | undefined
  metadata: string | undefined
  vectors: string | undefined
  pictures: string | undefined
  /** Whether this folder is to have shards, and pictures, of its own. */
  own: { vectors: boolean; pictures: boolean }
}

/** Throws InstallationRefused when a part is lost or foreign. A folder of an earlier version, without marks, passes. */
export async function checkInstallation(data: string, services: OpenedParts): Promise<void> {
  const marks = await marksOf(data, services)
  const fault = foreignPart(data, marks) ?? (await lostPart(data, services, marks))
  if (fault !== undefined)
    throw new InstallationRefused(
      `${fault} Restore the data folder from a backup, or see what is left: npm run store -- repair`,
    )
}

/** Marks every part as one of this installation. The folder's record comes before the metadata's: see `lostPart`. */
export async function markInstallation(data: string, services: OpenedParts): Promise<void> {
  const marks = await marksOf(data, services)
  await mark(data, services, marks, marks.metadata ?? marks.folder?.id ?? marks.vectors ?? randomUUID())
}

/** Marks the parts that are there as the whole installation. The lost parts are given up. */
export async function acceptInstallation(data: string, services: OpenedParts): Promise<void> {
  const marks = await marksOf(data, services)
  const id = services.elsewhere && marks.metadata !== undefined ? marks.metadata : randomUUID()
  if (!services.elsewhere) await replaceInstallation(services.database, id)
  await mark(data, services, marks, id)
}

async function mark(data: string, services: OpenedParts, { own, folder }: Marks, id: string): Promise<void> {
  if (own.vectors) await recordStoreInstallation(join(data, 'vectors'), id)
  if (own.pictures) await markPictures(data, id)
  const record: Installation = {
    version: 1,
    id,
    metadata: services.elsewhere ? 'elsewhere' : 'file',
    ...own,
  }
  if (JSON.stringify(folder) !== JSON.stringify(record)) await writeInstallation(data, record)
  await claimInstallation(services.database, id)
}

async function marksOf(data: string, { database }: OpenedParts): Promise<Marks> {
  const folder = join(data, 'vectors')
  const layout = (await recordedLayout(folder)) ?? []
  const own = {
    vectors: layout.some(({ address }) => address === LOCAL),
    pictures: await isPicturesFolder(data),
  }
  return {
    own,
    folder: await readInstallation(data),
    metadata: await installationOf(database),
    vectors: own.vectors ? (await readMadeShards(folder))?.installation : undefined,
    pictures: own.pictures ? await markedPictures(data) : undefined,
  }
}

/** The part that says that it is of another installation. */
function foreignPart(data: string, { folder, metadata, vectors, pictures }: Marks): string | undefined {
  const id = folder?.id ?? metadata
  if (id === undefined) return undefined
  if (metadata !== undefined && metadata !== id)
    return `The metadata of ${data} is that of another installation.`
  if (vectors !== undefined && vectors !== id)
    return `${join(data, 'vectors')} is that of another installation.`
  if (pictures !== undefined && pictures !== id)
    return `${join(data, 'pictures')} is that of another installation.`
  return undefined
}

/** The part that is empty though it was in use. A start that was broken off leaves parts without marks, and nothing in them. */
async function lostPart(
  data: string,
  { database, vectors }: OpenedParts,
  marks: Marks,
): Promise<string | undefined> {
  const { folder, own } = marks
  const hasPictures = own.pictures && (await holdsPictures(data))
  const hasVectors = await holdsVectors(vectors)
  if (marks.metadata === undefined && (hasPictures || (folder && hasVectors)) && (await isUnused(database)))
    return `The metadata of ${data} is new, and there are vectors or pictures of faces: their metadata is lost.`
  const wasServed = folder ? folder.vectors : marks.metadata !== undefined
  if (own.vectors && wasServed && marks.vectors === undefined && !hasVectors)
    return `${join(data, 'vectors')} is new, and ${data} has been in use: its vectors are lost.`
  if (own.pictures && folder?.pictures && marks.pictures === undefined && !hasPictures)
    return `${join(data, 'pictures')} is empty, and held pictures: they are lost, or their volume is not mounted.`
  return undefined
}

/** What is away is not lost. */
async function holdsVectors(vectors: VectorStore): Promise<boolean> {
  try {
    return (await vectors.galleries()).length > 0
  } catch (error) {
    if (error instanceof StoreUnavailable) return true
    throw error
  }
}
