/** Makes incremental backups: writes the pieces that a repository lacks, then a record, while the service runs or is stopped. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { databaseKey } from '../../encryption/database-key.ts'
import type { DataKey } from '../../encryption/encrypt.ts'
import { readKeyFile } from '../../encryption/key-file.ts'
import { withFrozenFile } from '../../files/frozen.ts'
import { readInstallation } from '../../files/installation.ts'
import { closeDatabase, METADATA_FILE, openDatabase } from '../../metadata/database.ts'
import { nextFaceKeys } from '../../metadata/queries/faces.ts'
import type { PictureKey, PictureStore } from '../../pictures/pictures.ts'
import { servedNumber, servedShards } from '../../vector-store/generation.ts'
import { ROWS } from '../../vector-store/shard/shard-open.ts'
import { keyFileIn, packFiles, refuseRemoteShards, SMALL_FILES } from '../backup.ts'
import { BackupRefused } from '../contents.ts'
import type { KeepRule } from './keep.ts'
import { type Held, withLock } from './lock.ts'
import { PieceWriter } from './piece-writer.ts'
import { type PieceForm, pieceForm } from './pieces.ts'
import { type Pruned, prune } from './prune.ts'
import type { BackupList, BackupRecord, FileInPieces, PictureList } from './record.ts'
import type { Repository } from './repository.ts'

/** Settings of a backup. */
export interface BackUpToSettings {
  /** The data folder. */
  data: string
  repository: Repository
  /** Label of the embedder (embedding/label.ts). */
  embedder: string
  /** Data key of the data folder. The pieces are encrypted with subkeys of it. */
  dataKey: DataKey | undefined
  pictures: Pick<PictureStore, 'readStored'>
  keep: KeepRule
  /** Unix milliseconds. */
  now: number
  /** Receives each step before it starts. */
  onStep?: ((step: BackUpToStep) => void | Promise<void>) | undefined
}

export type BackUpToStep = 'metadata' | 'vectors' | 'pictures' | 'changes' | 'record' | 'prune' | 'done'

export interface BackedUp {
  record: BackupRecord
  pruned: Pruned
}

/** Faces of one query. */
const STRIDE = 1_000

/**
 * Resolves when the backup is durable and old backups are removed. Throws BackupRefused. A backup that fails or is killed changes no
 * other backup; its pieces serve the next one. Metadata, vectors and pictures are copied in this order, then the metadata again:
 * a restore removes what was enrolled or deleted meanwhile.
 */
export async function backUpTo(settings: BackUpToSettings): Promise<BackedUp> {
  await refuseRemoteShards(settings.data)
  return withLock(settings.repository, held => backUpHeld(settings, held))
}

async function backUpHeld(settings: BackUpToSettings, held: Held): Promise<BackedUp> {
  const { data, repository, dataKey, keep, now, onStep } = settings
  const installation = await readInstallation(data)
  if (installation) await repository.claim(installation.id)
  const form = pieceForm(dataKey)
  const writer = new PieceWriter(repository, form, held.holdings.pieces)
  const keyFile = await keyFileIn(data)
  const encryption = dataKey && (await readKeyFile(data))
  const known = await newestPictures(repository, held, form)
  const { list, faces } = await writeAll(settings, writer, known)
  if ((await keyFileIn(data)) !== keyFile)
    throw new BackupRefused('The encryption was changed meanwhile. Try again.')
  const listName = await writer.write(Buffer.from(JSON.stringify(list)))
  await onStep?.('record')
  held.requireHeld()
  const record: BackupRecord = {
    format: 'mien-backup-record',
    version: 1,
    made: list.made,
    faces,
    bytes: [...list.files, ...list.pictures].reduce((sum, { bytes }) => sum + bytes, 0),
    added: writer.added,
    ...(encryption && { encryption }),
    list: listName,
    pieces: [...writer.names].sort(),
  }
  await repository.writeRecord(record)
  await onStep?.('prune')
  const pruned = await prune(repository, held, { record, keep, now })
  await onStep?.('done')
  return { record, pruned }
}

/** Packs of the newest backup; none when it is damaged, or has another data key. */
async function newestPictures(
  repository: Repository,
  { holdings }: Held,
  form: PieceForm,
): Promise<PictureList> {
  const newest = holdings.backups.at(-1)
  if (newest === undefined) return []
  try {
    return (await repository.readList(await repository.readRecord(newest), form)).pictures
  } catch (error) {
    if (error instanceof BackupRefused) return []
    throw error
  }
}

/** Writes the pieces of everything. Returns the list, and the number of faces. */
async function writeAll(
  settings: BackUpToSettings,
  writer: PieceWriter,
  known: PictureList,
): Promise<{ list: BackupList; faces: number }> {
  const { data, embedder, dataKey, pictures, now, onStep } = settings
  const key = dataKey && databaseKey(dataKey)
  const frozen = (path: string, fileKey?: string): Promise<FileInPieces> =>
    withFrozenFile(join(data, path), fileKey, () => writer.writeFile(join(data, path), path))
  await onStep?.('metadata')
  const files = [await frozen(METADATA_FILE, key)]
  await onStep?.('vectors')
  const served = await servedNumber(join(data, 'vectors'))
  for (const shard of await servedShards(join(data, 'vectors')))
    files.push(await frozen(`vectors/${shard}/${ROWS}`))
  await onStep?.('pictures')
  const counted = { faces: 0 }
  const packs = await writer.writePictures(pictures, picturedFaces(settings, counted), known)
  for (const path of await smallFiles(data)) files.push(await writer.writeFile(join(data, path), path))
  if ((await servedNumber(join(data, 'vectors'))) !== served)
    throw new BackupRefused('The vectors were converted to another pack meanwhile. Try again.')
  await onStep?.('changes')
  const metadataAtEnd = await frozen(METADATA_FILE, key)
  const made = new Date(now).toISOString()
  return { list: { made, embedder, files, metadataAtEnd, pictures: packs }, faces: counted.faces }
}

/** Faces with pictures, by rising id. Counts all faces. */
async function* picturedFaces(
  { data, dataKey }: BackUpToSettings,
  counted: { faces: number },
): AsyncGenerator<PictureKey> {
  const database = await openDatabase(data, { dataKey })
  try {
    for (let above = -1; ; ) {
      const faces = await nextFaceKeys(database, above, STRIDE)
      const last = faces.at(-1)
      if (!last) return
      above = last.id
      counted.faces += faces.length
      yield* faces.filter(({ pictured }) => pictured)
    }
  } finally {
    await closeDatabase(database)
  }
}

async function smallFiles(data: string): Promise<string[]> {
  const paths = SMALL_FILES.filter(path => existsSync(join(data, path)))
  for await (const file of packFiles(join(data, 'packs'))) paths.push(`packs/${file}`)
  return paths
}
