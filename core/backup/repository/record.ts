/**
 * Content of a repository: pieces, compressed and named by their content; a record per backup, readable without a key; the
 * encrypted list of its files.
 */

import { createHmac, hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import * as z from 'zod'
import { Natural, Sha256 } from '../../../contract/scalars.ts'
import { StoredPath } from '../../../contract/stored-path.ts'
import { type DataKey, subkey } from '../../encryption/encrypt.ts'
import { fileForm } from '../../encryption/file-form.ts'
import { KeyFileSchema } from '../../encryption/key-file.ts'

const PieceName = Sha256

/** A file of the data folder. Its pieces have BLOCK_BYTES each, except the last one. */
const FileSchema = z.strictObject({
  /** Relative to the data folder. */
  path: StoredPath,
  bytes: Natural,
  pieces: z.array(PieceName),
})
export type FileInPieces = z.infer<typeof FileSchema>

/** Bytes of a piece of a file: small changes of a database stay small, and a million faces have some thousand pieces. */
export const BLOCK_BYTES = 2 ** 18

export const ListSchema = z.strictObject({
  /** Start of the backup, as in its record. */
  made: z.string(),
  /** Label of the embedder (embedding/label.ts). */
  embedder: z.string(),
  files: z.array(FileSchema),
  /** The metadata when the backup ended. It tells the deletions during the backup, and since earlier backups. */
  metadataAtEnd: FileSchema,
  /** Packs of pictures (picture-packs.ts), by name. */
  pictures: z.array(z.strictObject({ piece: PieceName, bytes: Natural })),
})
export type BackupList = z.infer<typeof ListSchema>
export type PictureList = BackupList['pictures']

export const RecordSchema = z.strictObject({
  format: z.literal('mien-backup-record'),
  version: z.literal(1),
  /** Start of the backup, ISO 8601 in UTC. */
  made: z.iso.datetime(),
  faces: Natural,
  /** Bytes of the restored files. */
  bytes: Natural,
  /** Stored bytes of the pieces that this backup added. */
  added: Natural,
  /** Content of encryption.json; absent when the data folder is not encrypted. */
  encryption: KeyFileSchema.optional(),
  /** Piece with the list. */
  list: PieceName,
  /** All pieces of the backup, also the piece with the list. Pruning reads them without a key. */
  pieces: z.array(PieceName),
})
export type BackupRecord = z.infer<typeof RecordSchema>

/** Content of repository.json. */
export const MarkSchema = z.strictObject({
  format: z.literal('mien-backups'),
  version: z.literal(1),
  /** Id of the installation (files/record.ts) whose backups it holds; absent before the first one. */
  installation: z.uuid().optional(),
})

const [compress, decompress] = [promisify(brotliCompress), promisify(brotliDecompress)]

/** Brotli's second quickest level: vectors and pictures hardly shrink, metadata does. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

/** Bytes of the SHA-256 in front of the content. */
const SUM_BYTES = 32

/** Most bytes of a piece. A pack of pictures is the largest one. */
const MOST_BYTES = 2 ** 28

export interface PieceForm {
  /** Name of a piece with this content: 64 hexadecimal digits. Without the data key, it does not tell the content. */
  name(content: Uint8Array): string
  stored(name: string, content: Uint8Array): Promise<Uint8Array>
  /** Content of a stored piece; undefined for damaged bytes, and for bytes of another name or key. */
  read(name: string, stored: Uint8Array): Promise<Uint8Array<ArrayBuffer> | undefined>
}

export function pieceForm(dataKey: DataKey | undefined): PieceForm {
  const file = fileForm(dataKey, 'backups')
  const nameKey = dataKey && subkey(dataKey, 'backup names')
  const sum = (content: Uint8Array): Buffer => hash('sha256', content, 'buffer')

  return {
    name: content =>
      (nameKey ? createHmac('sha256', nameKey).update(content).digest() : sum(content)).toString('hex'),

    stored: async (name, content) =>
      file.stored(await compress(Buffer.concat([sum(content), content]), COMPRESSION), name),

    async read(name, stored) {
      const compressed = file.read(stored, name)
      if (!compressed) return undefined
      const bytes = await decompress(compressed, { maxOutputLength: MOST_BYTES }).catch(() => undefined)
      if (!bytes || bytes.length < SUM_BYTES) return undefined
      const content = new Uint8Array(bytes.subarray(SUM_BYTES))
      return bytes.subarray(0, SUM_BYTES).equals(sum(content)) ? content : undefined
    },
  }
}
