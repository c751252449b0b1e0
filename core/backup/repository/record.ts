/** Records of a repository: one per backup, readable without a key, and the encrypted list of its files. */
import * as z from 'zod'
import { StoredPath } from '../../../contract/stored-path.ts'
import { KeyFileSchema } from '../../encryption/key-file.ts'

const PieceName = z.string().regex(/^[0-9a-f]{64}$/)

/** A file of the data folder. Its pieces have BLOCK_BYTES each, except the last one. */
const FileSchema = z.strictObject({
  /** Relative to the data folder. */
  path: StoredPath,
  bytes: z.int().min(0),
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
  /** The metadata when the backup ended. It tells what was deleted meanwhile, and since earlier backups. */
  metadataAtEnd: FileSchema,
  /** Packs of pictures (picture-packs.ts), by name. */
  pictures: z.array(z.strictObject({ piece: PieceName, bytes: z.int().min(0) })),
})
export type BackupList = z.infer<typeof ListSchema>
export type PictureList = BackupList['pictures']

export const RecordSchema = z.strictObject({
  format: z.literal('mien-backup-record'),
  version: z.literal(1),
  /** Start of the backup, ISO 8601 in UTC. */
  made: z.iso.datetime(),
  faces: z.int().min(0),
  /** Bytes of the restored files. */
  bytes: z.int().min(0),
  /** Stored bytes of the pieces that this backup added. */
  added: z.int().min(0),
  /** Content of encryption.json; absent when the data folder is not encrypted. */
  encryption: KeyFileSchema.optional(),
  /** Piece with the list. */
  list: PieceName,
  /** All pieces of the backup, also that of the list. Pruning reads them without a key. */
  pieces: z.array(PieceName),
})
export type BackupRecord = z.infer<typeof RecordSchema>

/** Content of repository.json. */
export const MarkSchema = z.strictObject({
  format: z.literal('mien-backups'),
  version: z.literal(1),
  /** Id of the installation (files/installation.ts) whose backups it holds; absent before the first one. */
  installation: z.uuid().optional(),
})
