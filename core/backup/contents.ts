/** What a backup holds: its files with their checksums, and whose embeddings they are. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { opendir, readFile, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import * as z from 'zod'
import { syncFile, syncFolder } from '../files/durable.ts'

/** The file that says what a backup holds; a folder without it is none. */
export const CONTENTS = 'backup.json'

const FileSchema = z.strictObject({
  /** Below the backup's folder, with `/`. */
  path: z.string().regex(/^[\w.-]+(\/[\w.-]+)*$/),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
export type BackedUpFile = z.infer<typeof FileSchema>

const ContentsSchema = z.strictObject({
  format: z.literal('mien-backup'),
  version: z.literal(1),
  /** ISO 8601, when it was begun. */
  made: z.string(),
  /** What made the embeddings. */
  embedder: z.string(),
  faces: z.int().min(0),
  files: z.array(FileSchema),
})
export type Contents = z.infer<typeof ContentsSchema>

/** A backup that can't be used, or made, and why, for the operator. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}

/** The contents of the backup in this folder. Throws BackupRefused when they can't be read. */
export async function readContents(folder: string): Promise<Contents> {
  const path = join(folder, CONTENTS)
  try {
    return ContentsSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    throw new BackupRefused(`${path} is missing or damaged: this is no whole backup.`, { cause: error })
  }
}

/** Every file below the folder but the contents, with its checksum, by path. */
export async function describeFiles(
  folder: string,
  onFile?: (bytes: number) => void,
): Promise<BackedUpFile[]> {
  const files: BackedUpFile[] = []
  for await (const entry of await opendir(folder, { recursive: true })) {
    const full = join(entry.parentPath, entry.name)
    const path = relative(folder, full).split(sep).join('/')
    if (!entry.isFile() || path === CONTENTS) continue
    const { size } = await stat(full)
    files.push({ path, bytes: size, sha256: await sha256Of(full) })
    onFile?.(size)
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Throws BackupRefused naming the first file that is missing, is not as it was, or does not belong there. */
export async function requireWhole(
  folder: string,
  { files }: Contents,
  onFile?: (bytes: number) => void,
): Promise<void> {
  const found = new Map((await describeFiles(folder, onFile)).map(file => [file.path, file]))
  for (const { path, sha256 } of files) {
    const file = found.get(path)
    if (!file) throw new BackupRefused(`${join(folder, path)} is missing.`)
    if (file.sha256 !== sha256) throw new BackupRefused(`${join(folder, path)} is damaged.`)
    found.delete(path)
  }
  for (const path of found.keys()) throw new BackupRefused(`${join(folder, path)} is not of the backup.`)
}

/** Resolves when these files, and the folders that name them, are on disk. */
export async function syncAll(folder: string, files: readonly BackedUpFile[]): Promise<void> {
  const folders = new Set<string>([folder])
  for (const { path } of files) {
    await syncFile(join(folder, path))
    for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.add(join(folder, at))
  }
  for (const made of folders) await syncFolder(made)
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
