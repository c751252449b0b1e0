/** encryption.json: the data key of a folder, wrapped by the operator key, and the state of a conversion. */
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

/** Data keys of a folder. An undefined key stands for plain data. */
export interface FolderKeys {
  /** Some files may still have the form of `from`. The conversion must be completed before any other use. */
  readonly converting: boolean
  readonly from: DataKey | undefined
  readonly to: DataKey | undefined
}

/** Arguments of `mien encryption` for the conversion with these keys. */
export const conversionOf = ({ from, to }: { from?: unknown; to?: unknown }) =>
  to ? (from ? 'rotate --data-key' : 'on') : 'off'

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`))

const SALT_BYTES = 16

/** A data key, encrypted with a key derived from the operator key and the salt. */
const WrappedSchema = z.strictObject({ salt: hex(SALT_BYTES), sealed: hex(KEY_BYTES + SEAL_BYTES) })
type Wrapped = z.infer<typeof WrappedSchema>

export const KeyFileSchema = z
  .strictObject({
    format: z.literal('mien-encryption'),
    version: z.literal(1),
    /** Id of the operator key. */
    operatorKey: hex(4),
    converting: z.boolean(),
    from: WrappedSchema.optional(),
    to: WrappedSchema.optional(),
  })
  // A file without keys would pass plain data off as encrypted.
  .refine(({ converting, from, to }) => to ?? (converting && from), 'it has no key')
export type KeyFile = z.infer<typeof KeyFileSchema>

const pathIn = (data: string): string => join(data, KEY_FILE)

/** Reads the file. Undefined when it does not exist. Throws EncryptionRefused when it is damaged. */
export const readKeyFile = (data: string): Promise<KeyFile | undefined> =>
  readRecord(pathIn(data), KeyFileSchema, EncryptionRefused)

/** Unwraps the keys in the file. Throws EncryptionRefused for another operator key or a damaged file. */
export function unwrapped(data: string, file: KeyFile, operator: OperatorKey): FolderKeys {
  if (file.operatorKey !== operator.id) {
    throw new EncryptionRefused(
      `${data} is encrypted with the key ${file.operatorKey}, and the key that was given is ${operator.id}.`,
    )
  }
  const { converting } = file
  const key = (role: 'from' | 'to'): DataKey | undefined => {
    const wrapped = file[role]
    if (!wrapped) return undefined
    const opened = wrapping(operator, wrapped.salt).open(
      Buffer.from(wrapped.sealed, 'hex'),
      roleOf(role, converting),
    )
    if (!opened) throw damaged(data)
    return opened
  }
  return { converting, from: key('from'), to: key('to') }
}

/** Replaces the file atomically. It is durable when this resolves. */
export async function writeKeyFile(data: string, operator: OperatorKey, keys: FolderKeys): Promise<void> {
  await writeWhole(pathIn(data), contentOf(operator, keys), data)
  await syncFolder(data)
}

/** Creates the file with a new data key. With concurrent processes, the first file is kept. */
export async function createKeyFile(data: string, operator: OperatorKey): Promise<void> {
  await makeFolder(data)
  const keys = { converting: false, from: undefined, to: newDataKey() }
  await writeOnce(pathIn(data), contentOf(operator, keys))
}

/** Removes the file. Call it after everything is decrypted. */
export async function removeKeyFile(data: string): Promise<void> {
  await rm(pathIn(data), { force: true })
  await syncFolder(data)
}

/** Creates a random data key. */
export const newDataKey = (): DataKey => new Uint8Array(randomBytes(KEY_BYTES))

function contentOf(operator: OperatorKey, { converting, from, to }: FolderKeys): Uint8Array {
  const wrapped = (role: 'from' | 'to', key: DataKey | undefined): { [role]?: Wrapped } => {
    if (!key) return {}
    const salt = randomBytes(SALT_BYTES).toString('hex')
    const sealed = wrapping(operator, salt).seal(key, roleOf(role, converting)).toString('hex')
    return { [role]: { salt, sealed } }
  }
  const content: KeyFile = {
    format: 'mien-encryption',
    version: 1,
    operatorKey: operator.id,
    converting,
    ...wrapped('from', from),
    ...wrapped('to', to),
  }
  return new TextEncoder().encode(`${JSON.stringify(content, null, 2)}\n`)
}

const wrapping = ({ bytes }: OperatorKey, salt: string) =>
  sealWith(derivedKey(bytes, 'mien data key', Buffer.from(salt, 'hex')))

/** Place of a wrapped key. A key wrapped for one role is invalid for another. */
const roleOf = (role: 'from' | 'to', converting: boolean): Uint8Array =>
  new TextEncoder().encode(`${role}${converting ? ', converting' : ''}`)

const damaged = (data: string): EncryptionRefused =>
  new EncryptionRefused(`${pathIn(data)} is damaged. Restore it from a backup.`)

/** A parsed operator key. */
export interface OperatorKey {
  readonly bytes: Uint8Array
  /** Identifies the key and reveals nothing else of it: 8 hexadecimal digits. */
  readonly id: string
}

/** The operator key with these 32 bytes. */
export const operatorKeyOf = (bytes: Uint8Array): OperatorKey => ({
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
