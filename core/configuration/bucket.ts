/** Where the environment says that pictures are kept, and with which keys they are got at. */
import { resolve } from 'node:path'
import type { BucketKeys } from '../pictures/bucket/address.ts'
import { ConfigurationError } from './environment.ts'
import { givenSecret } from './secret-files.ts'

/** Variables that give the secret part of the keys: by itself, or by the file that it is in. */
export const BUCKET_SECRET = {
  key: 'MIEN_S3_SECRET_ACCESS_KEY',
  file: 'MIEN_S3_SECRET_ACCESS_KEY_FILE',
} as const

/** Those by which the tools of AWS know the same; taken where there are none of ours. */
export const AWS_VARIABLES = { id: 'AWS_ACCESS_KEY_ID', secret: 'AWS_SECRET_ACCESS_KEY' } as const

const ID = 'MIEN_S3_ACCESS_KEY_ID'

/** Undefined where there are none. Throws ConfigurationError, which says nothing of them, when one lacks the other. */
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

/** What is no header's text would fail later, and with the key in the error. */
function checked(accessKeyId: string, secretAccessKey: string): BucketKeys {
  if (/^[\x21-\x7e]+$/.test(accessKeyId) && /^[\x21-\x7e]+$/.test(secretAccessKey))
    return { accessKeyId, secretAccessKey }
  throw new ConfigurationError(`${ID} and ${BUCKET_SECRET.key} must be plain characters without spaces.`)
}
