/** Reads the access keys of buckets, of pictures and of backups, from the environment. */
import { resolve } from 'node:path'
import type { BucketKeys } from '../pictures/bucket/address.ts'
import { ConfigurationError } from './environment.ts'
import { givenSecret } from './secret-files.ts'

/** Variables for the secret access key: its value, or the file that contains it. */
export const BUCKET_SECRET = {
  key: 'MIEN_S3_SECRET_ACCESS_KEY',
  file: 'MIEN_S3_SECRET_ACCESS_KEY_FILE',
} as const

/** Variables of AWS tools, used when the MIEN_ variables are not set. */
export const AWS_VARIABLES = { id: 'AWS_ACCESS_KEY_ID', secret: 'AWS_SECRET_ACCESS_KEY' } as const

const ID = 'MIEN_S3_ACCESS_KEY_ID'

/** Variables for the keys of a bucket of backups, when it has other keys than that of the pictures. */
const BACKUP_ID = 'MIEN_BACKUP_S3_ACCESS_KEY_ID'
const BACKUP_SECRET = {
  key: 'MIEN_BACKUP_S3_SECRET_ACCESS_KEY',
  file: 'MIEN_BACKUP_S3_SECRET_ACCESS_KEY_FILE',
} as const

/**
 * Reads the keys; undefined when none are set. Throws ConfigurationError, without key material, when one of the pair is
 * missing.
 */
export async function readBucketKeys(
  environment: Record<string, string | undefined>,
  pathOf: (path: string) => string = resolve,
): Promise<BucketKeys | undefined> {
  const own = await pairOf(environment, ID, BUCKET_SECRET, pathOf)
  if (own) return own
  const [id, secret] = [environment[AWS_VARIABLES.id], environment[AWS_VARIABLES.secret]]
  return id && secret ? checked(id, secret) : undefined
}

/** Reads the keys of a bucket of backups: its own, or those of the pictures. Throws like readBucketKeys. */
export const readBackupKeys = async (
  environment: Record<string, string | undefined>,
  pathOf: (path: string) => string = resolve,
): Promise<BucketKeys | undefined> =>
  (await pairOf(environment, BACKUP_ID, BACKUP_SECRET, pathOf)) ?? readBucketKeys(environment, pathOf)

/** A pair of keys; undefined when none is set. */
async function pairOf(
  environment: Record<string, string | undefined>,
  idName: string,
  secretNames: { key: string; file: string },
  pathOf: (path: string) => string,
): Promise<BucketKeys | undefined> {
  const accessKeyId = environment[idName] || undefined
  const secretAccessKey = await givenSecret(environment, secretNames, pathOf)
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined
  if (!accessKeyId || !secretAccessKey)
    throw new ConfigurationError(`${idName} and ${secretNames.key} belong together: one of them is missing.`)
  return checked(accessKeyId, secretAccessKey, [idName, secretNames.key])
}

/** Refuses keys that are invalid in a header: they would fail later, in an error that contains the key. */
function checked(
  accessKeyId: string,
  secretAccessKey: string,
  names: readonly string[] = [ID, BUCKET_SECRET.key],
): BucketKeys {
  if (/^[\x21-\x7e]+$/.test(accessKeyId) && /^[\x21-\x7e]+$/.test(secretAccessKey))
    return { accessKeyId, secretAccessKey }
  throw new ConfigurationError(`${names.join(' and ')} must be plain characters without spaces.`)
}
