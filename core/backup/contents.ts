/** The contents file of a backup: its files with checksums, and its embedder. */

import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { isLaterVersion, laterVersion } from '../../contract/later-version.ts'
import { Natural, Sha256 } from '../../contract/scalars.ts'
import { pathBelow, StoredPath } from '../../contract/stored-path.ts'
import { syncFile, syncFolder } from '../files/durable.ts'
import { ignoreCode, regularFiles, sha256Of } from '../files/inspect.ts'

/** File name of the contents. A folder without it is not a complete backup. */
export const CONTENTS = 'backup.json'

const FileSchema = z.strictObject({
  /** Relative to the folder of the backup. */
  path: StoredPath,
  bytes: Natural,
  sha256: Sha256,
})
type BackedUpFile = z.infer<typeof FileSchema>

const ContentsSchema = z.strictObject({
  format: z.literal('mien-backup'),
  version: z.literal(1),
  /** Start of the backup, ISO 8601. */
  made: z.string(),
  /** Label of the embedder (embedding/label.ts). */
  embedder: z.string(),
  faces: Natural,
  files: z.array(FileSchema),
})
export type Contents = z.infer<typeof ContentsSchema>

/** A backup cannot be used or made. The message gives the reason to the operator. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}

/** Reads the contents of a backup. Throws BackupRefused when they are missing, damaged or of a later version. */
export async function readContents(folder: string): Promise<Contents> {
  const path = join(folder, CONTENTS)
  const bytes = await readFile(path).catch(ignoreCode('ENOENT'))
  if (!bytes) throw new BackupRefused(`${path} is missing: this is no whole backup.`)
  return parsedPart(ContentsSchema, bytes, path)
}

/** Parses JSON of a backup. Throws BackupRefused for damaged or forged JSON and for a later version. `where` names it. */
export function parsedPart<Schema extends z.ZodType>(
  schema: Schema,
  bytes: Uint8Array,
  where: string,
): z.output<Schema> {
  let content: unknown
  try {
    content = JSON.parse(Buffer.from(bytes).toString())
    return schema.parse(content)
  } catch (cause) {
    if (isLaterVersion(content)) throw new BackupRefused(laterVersion(where), { cause })
    const forged = cause instanceof z.ZodError && cause.issues.find(({ code }) => code === 'custom')
    throw new BackupRefused(`${where} is ${forged ? `forged: ${forged.message}` : 'damaged'}.`, { cause })
  }
}

/**
 * Lists all files of a folder except the contents file, with checksums, sorted by path. Throws BackupRefused for links and
 * special files, before it reads any file.
 */
export async function describeFiles(folder: string): Promise<BackedUpFile[]> {
  const files: BackedUpFile[] = []
  for (const path of await regularFiles(folder, BackupRefused)) {
    if (path === CONTENTS) continue
    const full = pathBelow(folder, path)
    const { size } = await stat(full)
    files.push({ path, bytes: size, sha256: await sha256Of(full) })
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Throws BackupRefused with the path of the first missing, damaged or foreign file. */
export async function requireIntact(folder: string, { files }: Contents): Promise<void> {
  const found = new Map((await describeFiles(folder)).map(file => [file.path, file]))
  for (const { path, sha256 } of files) {
    const file = found.get(path)
    if (!file) throw new BackupRefused(`${join(folder, path)} is missing.`)
    if (file.sha256 !== sha256) throw new BackupRefused(`${join(folder, path)} is damaged.`)
    found.delete(path)
  }
  for (const path of found.keys()) throw new BackupRefused(`${join(folder, path)} is not of the backup.`)
}

/** Makes these files and their folders durable. */
export async function syncAll(folder: string, files: readonly Pick<BackedUpFile, 'path'>[]): Promise<void> {
  const folders = new Set<string>([folder])
  for (const { path } of files) {
    await syncFile(pathBelow(folder, path))
    for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.add(join(folder, at))
  }
  for (const made of folders) await syncFolder(made)
}
