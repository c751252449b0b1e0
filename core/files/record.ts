/** Records: small JSON files of a data folder, each with one schema. They are replaced in one step. */
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type * as z from 'zod'
import { syncFolder, writeWhole } from './durable.ts'
import { ignoreCode } from './expected-errors.ts'

/** The error of a record that can't be read: its message tells the operator what to do. */
type Damaged = new (message: string, options: ErrorOptions) => Error

/** What the record says; undefined where there is none. Throws a `Damaged` where it does not match its schema. */
export async function readRecord<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  Damaged: Damaged,
): Promise<z.output<Schema> | undefined> {
  const text = await readFile(path, 'utf8').catch(ignoreCode('ENOENT'))
  if (text === undefined) return undefined
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Damaged(`${path} is damaged. Restore it from a backup.`, { cause })
  }
}

/** Replaces the record; on the disk when it resolves. */
export async function writeRecord(path: string, content: object): Promise<void> {
  const folder = dirname(path)
  await writeWhole(path, new TextEncoder().encode(`${JSON.stringify(content, null, 2)}\n`), folder)
  await syncFolder(folder)
}
