/** Reads credentials from the environment, or from the files that variables with the suffix _FILE name. */
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type OperatorKey, parseOperatorKey } from '../encryption/key-file.ts'
import { type DatabaseAddress, faultOfUrl } from '../metadata/connection/address.ts'
import type { BucketKeys } from '../pictures/bucket/address.ts'
import { ConfigurationError } from './environment.ts'

/** Secrets that may be in a file, as systemd credentials and container secrets are. */
const SECRETS = [
  'MIEN_EDGE_SECRET',
  'MIEN_EDGE_SECRET_PREVIOUS',
  'MIEN_OPERATOR_TOKEN',
  'MIEN_DATABASE_TOKEN',
  'MIEN_S3_SECRET_ACCESS_KEY',
] as const

/** Mode bits that give all users access to a file. */
const WORLD_ACCESS = 0o007

/**
 * Secrets from files, and empty values for the _FILE variables, to merge over the environment. `pathOf` resolves a
 * file's path. Throws ConfigurationError, without secrets, when a secret is set twice or its file is unreadable or
 * readable by all users.
 */
export async function secretsInFiles(
  environment: Record<string, string | undefined>,
  pathOf: (path: string) => string = resolve,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const key of SECRETS) {
    const file = `${key}_FILE`
    if (!environment[file]) continue
    found[key] = (await givenSecret(environment, { key, file }, pathOf)) ?? ''
    found[file] = ''
  }
  return found
}

/**
 * The value of one variable, or the content of the file that the other names; undefined when neither is set. Throws
 * ConfigurationError.
 */
async function givenSecret(
  environment: Record<string, string | undefined>,
  { key, file }: { key: string; file: string },
  pathOf: (path: string) => string = resolve,
): Promise<string | undefined> {
  const [given, path] = [environment[key], environment[file]]
  if (given && path) throw new ConfigurationError(`${key} and ${file} are both set: give one of them.`)
  // An empty file gives an empty secret, which is invalid, and not an absent one.
  const text = path ? await readSecretFile(pathOf(path), file) : given || undefined
  return text?.trim()
}

/**
 * The text of the file that a variable names. Throws ConfigurationError when it is unreadable, or readable by all
 * users.
 */
async function readSecretFile(path: string, variable: string): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) throw new ConfigurationError(`${variable} names ${path}, which can't be read.`)
  try {
    if (process.platform !== 'win32' && ((await file.stat()).mode & WORLD_ACCESS) !== 0)
      throw new ConfigurationError(`${variable} names ${path}, which everybody can read: chmod 600 ${path}`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

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

/** Variables for the token of a database: its value, or the file that contains it. */
export const DATABASE_TOKEN = { key: 'MIEN_DATABASE_TOKEN', file: 'MIEN_DATABASE_TOKEN_FILE' } as const

/**
 * Reads the address, for commands that need no other configuration; undefined when the metadata is in the data folder.
 * Throws ConfigurationError.
 */
export async function readDatabase(
  environment: Record<string, string | undefined>,
  pathOf: (path: string) => string = resolve,
): Promise<DatabaseAddress | undefined> {
  const url = environment.MIEN_DATABASE_URL
  if (!url) return undefined
  const fault = faultOfUrl(url)
  if (fault !== undefined) throw new ConfigurationError(`MIEN_DATABASE_URL ${fault}`)
  return { url, token: await givenSecret(environment, DATABASE_TOKEN, pathOf) }
}

/** Variables for the key: its value, or the file that contains it. */
export const KEY_VARIABLES = { key: 'MIEN_ENCRYPTION_KEY', file: 'MIEN_ENCRYPTION_KEY_FILE' } as const

/** Variables for the key that replaces it. */
export const NEW_KEY_VARIABLES = {
  key: 'MIEN_ENCRYPTION_NEW_KEY',
  file: 'MIEN_ENCRYPTION_NEW_KEY_FILE',
} as const

/**
 * Reads the key; undefined when none is set. `pathOf` resolves the file's path. Throws ConfigurationError, without key
 * material, when the key is invalid, set twice, or in a file that all users can read.
 */
export async function readOperatorKey(
  environment: Record<string, string | undefined>,
  variables: { key: string; file: string } = KEY_VARIABLES,
  pathOf: (path: string) => string = resolve,
): Promise<OperatorKey | undefined> {
  const text = await givenSecret(environment, variables, pathOf)
  if (text === undefined) return undefined
  const key = parseOperatorKey(text)
  if (key) return key
  throw new ConfigurationError(
    `${environment[variables.file] ? variables.file : variables.key} must give 32 random bytes, as 64 hexadecimal digits or as Base64: ` +
      'openssl rand -hex 32',
  )
}
