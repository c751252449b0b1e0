/** Makes incremental backups: writes the pieces that a repository lacks, then a record, while the service runs or is stopped. */
import { existsSync, fstatSync, read } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { FOOTAGE_KINDS } from '../../../contract/limits/cameras.ts'
import { type DataKey, databaseKey } from '../../encryption/encrypt.ts'
import { readKeyFile } from '../../encryption/key-file.ts'
import { readInstallation } from '../../files/record.ts'
import { withFrozenFile } from '../../files/sqlite.ts'
import { closeDatabase, METADATA_FILE, openDatabase } from '../../metadata/database.ts'
import { eachAtOnce } from '../../pictures/objects.ts'
import { PICTURES_FOLDER } from '../../pictures/open.ts'
import { type PictureFile, type PictureStore, pathOf } from '../../pictures/pictures.ts'
import { servedShards } from '../../vector-store/generation.ts'
import { ROWS } from '../../vector-store/shard/shard-open.ts'
import { packFiles, refuseRemoteShards, SMALL_FILES, unchangedSince } from '../backed-up-files.ts'
import { allFaces } from '../complete-copy.ts'
import { BackupRefused } from '../contents.ts'
import { type Held, withLock } from './lock.ts'
import { type PackedFace, packsOf, packText, readPack } from './picture-packs.ts'
import { CONCURRENT_PIECES } from './place.ts'
import { type KeepRule, type Pruned, prune } from './prune.ts'
import {
  type BackupList,
  type BackupRecord,
  BLOCK_BYTES,
  type FileInPieces,
  type PictureList,
  type PieceForm,
  pieceForm,
} from './record.ts'
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
  /** Whether snapshots and clips are part of the backup. */
  footage?: boolean
  /** Unix milliseconds. */
  now: number
  /** Receives each step before it starts. */
  onStep?: (step: BackUpToStep) => void | Promise<void>
}

type BackUpToStep = 'metadata' | 'vectors' | 'pictures' | 'changes' | 'record' | 'prune' | 'done'

interface BackedUp {
  record: BackupRecord
  pruned: Pruned
}

/**
 * Resolves when the backup is durable and old backups are removed. Throws BackupRefused. A backup that fails or is killed changes
 * no other backup; its pieces serve the next one. Metadata, vectors and pictures are copied in this order, then the metadata again:
 * a restore removes faces that were enrolled or deleted during the backup.
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
  const writer = new PieceWriter(repository, form, held.inventory.pieces)
  const requireUnchanged = await unchangedSince(data)
  const encryption = dataKey && (await readKeyFile(data))
  const known = await newestPictures(repository, held, form)
  const { list, faces } = await writeAll(settings, writer, known)
  await requireUnchanged(data)
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
    encryption,
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
  { inventory }: Held,
  form: PieceForm,
): Promise<PictureList> {
  const newest = inventory.backups.at(-1)
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
  const frozen = (path: string, fileKey?: string) =>
    withFrozenFile(join(data, path), fileKey, file => writer.writeOpen(file, path))
  await onStep?.('metadata')
  const files = [await frozen(METADATA_FILE, key)]
  await onStep?.('vectors')
  for (const shard of await servedShards(join(data, 'vectors')))
    files.push(await frozen(`vectors/${shard}/${ROWS}`))
  await onStep?.('pictures')
  const counted = { faces: 0 }
  const packs = await writer.writePictures(pictures, picturedFaces(settings, counted), known)
  if (settings.footage) files.push(...(await writer.writeFootage(pictures, footageOf(settings))))
  for (const path of await smallFiles(data)) files.push(await writer.writeFile(join(data, path), path))
  await onStep?.('changes')
  const metadataAtEnd = await frozen(METADATA_FILE, key)
  const made = new Date(now).toISOString()
  return { list: { made, embedder, files, metadataAtEnd, pictures: packs }, faces: counted.faces }
}

/** Faces with pictures, by rising id. Counts all faces. */
async function* picturedFaces(
  { data, dataKey }: BackUpToSettings,
  counted: { faces: number },
): AsyncGenerator<PackedFace> {
  const database = await openDatabase(data, { dataKey })
  try {
    for await (const faces of allFaces(database)) {
      counted.faces += faces.length
      yield* faces.filter(({ pictured }) => pictured)
    }
  } finally {
    await closeDatabase(database)
  }
}

/** Stored snapshots and clips. */
async function* footageOf({ data, dataKey }: BackUpToSettings): AsyncGenerator<PictureFile> {
  const database = await openDatabase(data, { dataKey })
  try {
    for await (const faces of allFaces(database))
      for (const face of faces)
        for (const kind of FOOTAGE_KINDS) if (face[kind]) yield { owner: face.owner, id: face.id, kind }
  } finally {
    await closeDatabase(database)
  }
}

async function smallFiles(data: string): Promise<string[]> {
  const paths = SMALL_FILES.filter(path => existsSync(join(data, path)))
  for await (const file of packFiles(join(data, 'packs'))) paths.push(`packs/${file}`)
  return paths
}

const readBlock = promisify(read)

class PieceWriter {
  /** All pieces of the backup. */
  readonly names = new Set<string>()
  /** Stored bytes of the pieces that the repository lacked. */
  added = 0
  readonly #repository: Repository
  readonly #form: PieceForm
  readonly #held: Set<string>

  /** `held`: names of the pieces in the repository. Pieces that are written are added to it. */
  constructor(repository: Repository, form: PieceForm, held: Set<string>) {
    this.#repository = repository
    this.#form = form
    this.#held = held
  }

  /** Durable when it resolves. Returns the name. */
  async write(content: Uint8Array, name = this.#form.name(content)): Promise<string> {
    if (!this.#held.has(name)) {
      const stored = await this.#form.stored(name, content)
      await this.#repository.writePiece(name, stored)
      this.#held.add(name)
      this.added += stored.length
    }
    this.names.add(name)
    return name
  }

  /** Writes a file. The file must not change during the call. `path` names it in the data folder. */
  async writeFile(file: string, path: string): Promise<FileInPieces> {
    const handle = await open(file, 'r')
    try {
      return await this.writeOpen(handle.fd, path)
    } finally {
      await handle.close()
    }
  }

  /** Like `writeFile`, of an open file. */
  writeOpen(file: number, path: string): Promise<FileInPieces> {
    return this.#writeBlocks(path, fstatSync(file).size, async (at, length) => {
      const { bytesRead, buffer } = await readBlock(file, Buffer.alloc(length), 0, length, at)
      if (bytesRead < length) throw new Error(`${path} became shorter while it was copied.`)
      return buffer
    })
  }

  async #writeBlocks(
    path: string,
    bytes: number,
    read: (at: number, length: number) => Promise<Uint8Array>,
  ): Promise<FileInPieces> {
    const pieces: string[] = new Array(Math.ceil(bytes / BLOCK_BYTES))
    await eachAtOnce(CONCURRENT_PIECES, pieces.keys(), async number => {
      const at = number * BLOCK_BYTES
      pieces[number] = await this.write(await read(at, Math.min(BLOCK_BYTES, bytes - at)))
    })
    return { path, bytes, pieces }
  }

  /** Writes snapshots and clips as files of the folder. Leaves out files that are removed during the backup. */
  async writeFootage(
    pictures: Pick<PictureStore, 'readStored'>,
    footage: AsyncIterable<PictureFile>,
  ): Promise<FileInPieces[]> {
    const files: FileInPieces[] = []
    await eachAtOnce(CONCURRENT_PIECES, footage, async file => {
      const stored = await pictures.readStored(file)
      if (!stored) return
      const read = async (at: number, length: number) => stored.subarray(at, at + length)
      files.push(await this.#writeBlocks(`${PICTURES_FOLDER}/${pathOf(file)}`, stored.length, read))
    })
    return files
  }

  /**
   * Writes the pictures of faces, by rising id. `known`: the packs of an earlier backup with the same data key, which are not
   * read again. Returns all packs by name.
   */
  async writePictures(
    pictures: Pick<PictureStore, 'readStored'>,
    faces: AsyncIterable<PackedFace>,
    known: PictureList,
  ): Promise<PictureList> {
    const sizes = new Map(known.map(({ piece, bytes }) => [piece, bytes]))
    const packs: PictureList = []
    await eachAtOnce(CONCURRENT_PIECES, packsOf(faces), async pack => {
      packs.push(await this.#writePack(pictures, pack, sizes))
    })
    return packs.sort((a, b) => (a.piece < b.piece ? -1 : 1))
  }

  async #writePack(
    pictures: Pick<PictureStore, 'readStored'>,
    faces: readonly PackedFace[],
    sizes: ReadonlyMap<string, number>,
  ): Promise<PictureList[number]> {
    const whole = this.#form.name(packText(faces, []))
    const size = sizes.get(whole)
    if (size !== undefined && this.#held.has(whole)) {
      this.names.add(whole)
      return { piece: whole, bytes: size }
    }
    const { content, missing } = await readPack(pictures, faces)
    const name = missing.length === 0 ? whole : this.#form.name(packText(faces, missing))
    return { piece: await this.write(content, name), bytes: content.length }
  }
}
