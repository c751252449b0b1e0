/** encryption.json: the data key of a folder, wrapped by the operator's key, and whether all of the folder is sealed with it. */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { makeFolder, syncFolder, writeOnce, writeWhole } from '../files/durable.ts'
import { readRecord } from '../files/record.ts'
import { type DataKey, derivedKey, KEY_BYTES, SEAL_BYTES, sealWith } from './encrypt.ts'
import type { OperatorKey } from './operator-key.ts'

/** Its name in the data folder. Without it nothing that is sealed can be read again, by anybody. */
export const KEY_FILE = 'encryption.json'

/** Encryption that is not as it should be; its message tells the operator what to do, and nothing of a key but its id. */
export class EncryptionRefused extends Error {
  override readonly name = 'EncryptionRefused'
}

/** What a folder is sealed with; absent keys are of what is kept in the clear. */
export interface FolderKeys {
  /** Some of it is sealed with `from` still: it has to be brought to its end before anything else is done. */
  readonly converting: boolean
  readonly from: DataKey | undefined
  readonly to: DataKey | undefined
}

/** A conversion of a folder, as it is asked for: its keys say which one is under way. */
export const conversionOf = ({ from, to }: { from?: unknown; to?: unknown }) =>
  to ? (from ? 'rotate --data-key' : 'on') : 'off'

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`))

const SALT_BYTES = 16

/** A data key, sealed with one that is derived from the operator's and the salt. */
const WrappedSchema = z.strictObject({ salt: hex(SALT_BYTES), sealed: hex(KEY_BYTES + SEAL_BYTES) })
type Wrapped = z.infer<typeof WrappedSchema>

const FileSchema = z.strictObject({
  format: z.literal('mien-encryption'),
  version: z.literal(1),
  /** Id of the operator's key. */
  operatorKey: hex(4),
  converting: z.boolean(),
  from: WrappedSchema.optional(),
  to: WrappedSchema.optional(),
})
export type KeyFile = z.infer<typeof FileSchema>

const pathIn = (data: string): string => join(data, KEY_FILE)

/** Undefined where there is none. Throws EncryptionRefused when it is damaged. */
export const readKeyFile = (data: string): Promise<KeyFile | undefined> =>
  readRecord(pathIn(data), FileSchema, EncryptionRefused)

/** The keys in the file. Throws EncryptionRefused unless the operator's key is the one that wrapped them. */
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

/** Replaces the file in one step; it is on the disk when this resolves. */
export async function writeKeyFile(data: string, operator: OperatorKey, keys: FolderKeys): Promise<void> {
  await writeWhole(pathIn(data), contentOf(operator, keys), data)
  await syncFolder(data)
}

/** Gives a folder a new data key. Where several processes do so at once, the first one's is kept. */
export async function createKeyFile(data: string, operator: OperatorKey): Promise<void> {
  await makeFolder(data)
  const keys = { converting: false, from: undefined, to: newDataKey() }
  await writeOnce(pathIn(data), contentOf(operator, keys))
}

/** Once nothing is sealed any more. */
export async function removeKeyFile(data: string): Promise<void> {
  await rm(pathIn(data), { force: true })
  await syncFolder(data)
}

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

/** A key that was wrapped for one role is none for another. */
const roleOf = (role: 'from' | 'to', converting: boolean): Uint8Array =>
  new TextEncoder().encode(`${role}${converting ? ', converting' : ''}`)

const damaged = (data: string): EncryptionRefused =>
  new EncryptionRefused(`${pathIn(data)} is damaged. Restore it from a backup.`)
