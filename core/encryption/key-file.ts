/** encryption.json: the data key of a folder, wrapped by the operator key. */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { makeFolder, syncFolder, writeOnce, writeWhole } from '../files/durable.ts'
import { readRecord } from '../files/record.ts'
import { type DataKey, derivedKey, KEY_BYTES, SEAL_BYTES, sealWith } from './encrypt.ts'

/** Name in the data folder. Without this file, encrypted data cannot be decrypted. */
export const KEY_FILE = 'encryption.json'

/** Unusable encryption of a folder. The message says what to do, and contains only the id of a key. */
export class EncryptionRefused extends Error {
  override readonly name = 'EncryptionRefused'
}

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`))

const SALT_BYTES = 16

/** A data key, encrypted with a key derived from the operator key and the salt. */
const WrappedSchema = z.strictObject({ salt: hex(SALT_BYTES), sealed: hex(KEY_BYTES + SEAL_BYTES) })

export const KeyFileSchema = z
  .strictObject({
    format: z.literal('mien-encryption'),
    version: z.literal(1),
    /** Id of the operator key. */
    operatorKey: hex(4),
    /** True: version 0.2 was interrupted while it converted the folder in place, from the key `from` or from plain data. */
    converting: z.boolean(),
    from: WrappedSchema.optional(),
    to: WrappedSchema.optional(),
  })
  // A file without keys would pass plain data off as encrypted.
  .refine(({ converting, from, to }) => to ?? (converting && from), 'it has no key')
type KeyFile = z.infer<typeof KeyFileSchema>

const pathIn = (data: string) => join(data, KEY_FILE)

/** Reads the file. Undefined when it does not exist. Throws EncryptionRefused when it is damaged. */
export const readKeyFile = (data: string): Promise<KeyFile | undefined> =>
  readRecord(pathIn(data), KeyFileSchema, EncryptionRefused)

/** Throws EncryptionRefused for a folder whose conversion in place was interrupted. */
export function requireConverted(data: string, { converting }: KeyFile): void {
  if (converting)
    throw new EncryptionRefused(
      `${data} is encrypted in part: version 0.2 was interrupted while it converted the folder. Finish this with that version, or restore a backup.`,
    )
}

/** Unwraps the data key in the file. Throws EncryptionRefused for another operator key or a damaged file. */
export function unwrapDataKey(data: string, file: KeyFile, operator: OperatorKey): DataKey {
  if (file.operatorKey !== operator.id) {
    throw new EncryptionRefused(
      `${data} is encrypted with the key ${file.operatorKey}, and the key that was given is ${operator.id}.`,
    )
  }
  requireConverted(data, file)
  const opened = file.to && wrapping(operator, file.to.salt).open(Buffer.from(file.to.sealed, 'hex'), ROLE)
  if (!opened || file.from) throw damaged(data)
  return opened
}

/** Replaces the file atomically. It is durable when this resolves. */
export async function writeKeyFile(data: string, operator: OperatorKey, dataKey: DataKey): Promise<void> {
  await writeWhole(pathIn(data), contentOf(operator, dataKey), data)
  await syncFolder(data)
}

/** Creates the file with a new data key. With concurrent processes, the first file is kept. */
export async function createKeyFile(data: string, operator: OperatorKey): Promise<void> {
  await makeFolder(data)
  await writeOnce(pathIn(data), contentOf(operator, newDataKey()))
}

/** Removes the key file of a folder that is no longer encrypted. */
export async function removeKeyFile(data: string): Promise<void> {
  await rm(pathIn(data), { force: true })
  await syncFolder(data)
}

/** Creates a random data key. */
export const newDataKey = (): DataKey => new Uint8Array(randomBytes(KEY_BYTES))

function contentOf(operator: OperatorKey, dataKey: DataKey): Uint8Array {
  const salt = randomBytes(SALT_BYTES).toString('hex')
  const content: KeyFile = {
    format: 'mien-encryption',
    version: 1,
    operatorKey: operator.id,
    converting: false,
    to: { salt, sealed: wrapping(operator, salt).seal(dataKey, ROLE).toString('hex') },
  }
  return Buffer.from(`${JSON.stringify(content, null, 2)}\n`)
}

const wrapping = ({ bytes }: OperatorKey, salt: string) =>
  sealWith(derivedKey(bytes, 'mien data key', Buffer.from(salt, 'hex')))

/** Place of the wrapped key. A key wrapped for another role is invalid. */
const ROLE = Buffer.from('to')

const damaged = (data: string) =>
  new EncryptionRefused(`${pathIn(data)} is damaged. Restore it from a backup.`)

/** A parsed operator key. */
export interface OperatorKey {
  readonly bytes: Uint8Array
  /** Identifies the key and reveals nothing else of it: 8 hexadecimal digits. */
  readonly id: string
}

/** The operator key with these 32 bytes. */
const operatorKeyOf = (bytes: Uint8Array): OperatorKey => ({
  bytes,
  id: derivedKey(bytes, 'mien operator key id').toString('hex', 0, 4),
})

/** Parses 64 hexadecimal digits, or Base64 of 32 bytes. Undefined for other text. */
export function parseOperatorKey(text: string): OperatorKey | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return operatorKeyOf(Buffer.from(text, 'hex'))
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === KEY_BYTES ? operatorKeyOf(bytes) : undefined
}
