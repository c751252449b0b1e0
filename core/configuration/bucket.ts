/** Reads the access keys of the picture bucket from the environment. */
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

/**
 * Reads the keys; undefined when none are set. Throws ConfigurationError, without key material, when one of the pair is
 * missing.
 */
export async function readBucketKeys(
  environment: Record<string, string | undefined>,
  pathOf: (path: string) => string = resolve,
): Promise<BucketKeys | undefined> {
  const accessKeyId = environment[ID] || undefined
  const secretAccessKey = await givenSecret(environment, BUCKET_SECRET, pathOf)
  if (accessKeyId === undefined && secretAccessKey === undefined) {
    const [id, secret] = [environment[AWS_VARIABLES.id], environment[AWS_VARIABLES.secret]]
    return id && secret ? checked(id, secret) : undefined
  }
  if (!accessKeyId || !secretAccessKey)
    throw new ConfigurationError(`${ID} and ${BUCKET_SECRET.key} belong together: one of them is missing.`)
  return checked(accessKeyId, secretAccessKey)
}

/** Refuses keys that are invalid in a header: they would fail later, in an error that contains the key. */
function checked(accessKeyId: string, secretAccessKey: string): BucketKeys {
  if (/^[\x21-\x7e]+$/.test(accessKeyId) && /^[\x21-\x7e]+$/.test(secretAccessKey))
    return { accessKeyId, secretAccessKey }
  throw new ConfigurationError(`${ID} and ${BUCKET_SECRET.key} must be plain characters without spaces.`)
}
