/** Reads and writes records: small JSON files of a data folder with a schema, replaced atomically. */
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type * as z from 'zod'
import { isLaterVersion, laterVersion } from '../../contract/later-version.ts'
import { syncFolder, writeWhole } from './durable.ts'
import { ignoreCode } from './expected-errors.ts'

/** Error class for an unreadable record. Its message says what to do. */
type Damaged = new (message: string, options: ErrorOptions) => Error

/**
 * Reads a record. Undefined when it does not exist. Throws `Damaged` when it does not match its schema, or when a later
 * version of the service wrote it.
 */
export async function readRecord<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  Damaged: Damaged,
): Promise<z.output<Schema> | undefined> {
  const text = await readFile(path, 'utf8').catch(ignoreCode('ENOENT'))
  if (text === undefined) return undefined
  let content: unknown
  try {
    content = JSON.parse(text)
    return schema.parse(content)
  } catch (cause) {
    if (isLaterVersion(content)) throw new Damaged(laterVersion(path), { cause })
    throw new Damaged(`${path} is damaged. Restore it from a backup.`, { cause })
  }
}

/** Replaces a record atomically. It is durable when this resolves. */
export async function writeRecord(path: string, content: object): Promise<void> {
  const folder = dirname(path)
  await writeWhole(path, new TextEncoder().encode(`${JSON.stringify(content, null, 2)}\n`), folder)
  await syncFolder(folder)
}
