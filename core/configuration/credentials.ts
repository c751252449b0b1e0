/** Reads credentials from the environment, or from the files that variables with the suffix _FILE name. */
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type OperatorKey, parseOperatorKey } from '../encryption/key-file.ts'
import { type DatabaseAddress, faultOfUrl } from '../metadata/connection/address.ts'
import type { BucketKeys } from '../pictures/bucket/address.ts'
import { ConfigurationError } from './environment.ts'

type Variables = Record<string, string | undefined>

/** Secrets that may be in a file, as systemd credentials and container secrets are. */
const SECRETS = [
  'MIEN_EDGE_SECRET',
  'MIEN_EDGE_SECRET_PREVIOUS',
  'MIEN_OPERATOR_TOKEN',
  'MIEN_DATABASE_TOKEN',
  'MIEN_S3_SECRET_ACCESS_KEY',
  'MIEN_OIDC_CLIENT_SECRET',
] as const

/** Mode bits that give all users access to a file. */
const WORLD_ACCESS = 0o007

/**
 * Secrets from files, and empty values for the _FILE variables, to merge over the environment. `pathOf` resolves a
 * file's path. Throws ConfigurationError, without secrets, when a secret is set twice or its file is unreadable, empty or
 * readable by all users.
 */
export async function secretsInFiles(
  environment: Variables,
  pathOf: (path: string) => string = resolve,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const name of SECRETS) {
    if (!environment[fileOf(name)]) continue
    found[name] = (await givenSecret(environment, name, pathOf)) ?? ''
    found[fileOf(name)] = ''
  }
  return found
}

/** The variable that names the file of a secret. */
export const fileOf = (name: string): string => `${name}_FILE`

/** The value of a variable, or the content of its file; undefined when neither is set. Throws ConfigurationError. */
async function givenSecret(
  environment: Variables,
  name: string,
  pathOf: (path: string) => string,
): Promise<string | undefined> {
  const file = fileOf(name)
  const [given, path] = [environment[name], environment[file]]
  if (given && path) throw new ConfigurationError(`${name} and ${file} are both set: give one of them.`)
  const text = path ? await readSecretFile(pathOf(path), file) : given || undefined
  return text?.trim()
}

/**
 * The text of the file that a variable names. Throws ConfigurationError when it is unreadable, empty, or readable by
 * all users.
 */
async function readSecretFile(path: string, variable: string) {
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) throw new ConfigurationError(`${variable} names ${path}, which can't be read.`)
  try {
    if (process.platform !== 'win32' && ((await file.stat()).mode & WORLD_ACCESS) !== 0)
      throw new ConfigurationError(`${variable} names ${path}, which everybody can read: chmod 600 ${path}`)
    const text = await file.readFile('utf8')
    // The secret would count as absent.
    if (text.trim() === '') throw new ConfigurationError(`${variable} names ${path}, which is empty.`)
    return text
  } finally {
    await file.close()
  }
}

/** Variables for the keys of the bucket of pictures. */
const ID = 'MIEN_S3_ACCESS_KEY_ID'
export const BUCKET_SECRET = 'MIEN_S3_SECRET_ACCESS_KEY'

/** Variables of AWS tools, used when the MIEN_ variables are not set. */
const AWS_ID = 'AWS_ACCESS_KEY_ID'
export const AWS_SECRET = 'AWS_SECRET_ACCESS_KEY'

/** Variables for the keys of a bucket of backups, when they differ from the keys of the bucket of pictures. */
const BACKUP_ID = 'MIEN_BACKUP_S3_ACCESS_KEY_ID'
const BACKUP_SECRET = 'MIEN_BACKUP_S3_SECRET_ACCESS_KEY'

/**
 * Reads the keys; undefined when none are set. Throws ConfigurationError, without key material, when one of the pair is
 * missing.
 */
export async function readBucketKeys(
  environment: Variables,
  pathOf: (path: string) => string = resolve,
): Promise<BucketKeys | undefined> {
  const own = await pairOf(environment, ID, BUCKET_SECRET, pathOf)
  if (own) return own
  const [id, secret] = [environment[AWS_ID], environment[AWS_SECRET]]
  return id && secret ? checkKeys(id, secret) : undefined
}

/** Reads the keys of a bucket of backups: its own, or the keys of the bucket of pictures. Throws like readBucketKeys. */
export const readBackupKeys: typeof readBucketKeys = async (environment, pathOf = resolve) =>
  (await pairOf(environment, BACKUP_ID, BACKUP_SECRET, pathOf)) ?? readBucketKeys(environment, pathOf)

/** A pair of keys; undefined when none is set. */
async function pairOf(
  environment: Variables,
  idName: string,
  secretName: string,
  pathOf: (path: string) => string,
): Promise<BucketKeys | undefined> {
  const accessKeyId = environment[idName] || undefined
  const secretAccessKey = await givenSecret(environment, secretName, pathOf)
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined
  if (!accessKeyId || !secretAccessKey)
    throw new ConfigurationError(`${idName} and ${secretName} belong together: one of them is missing.`)
  return checkKeys(accessKeyId, secretAccessKey, [idName, secretName])
}

/** Refuses keys that are invalid in a header: they would fail later, in an error that contains the key. */
function checkKeys(
  accessKeyId: string,
  secretAccessKey: string,
  names: readonly string[] = [ID, BUCKET_SECRET],
): BucketKeys {
  if (/^[\x21-\x7e]+$/.test(accessKeyId) && /^[\x21-\x7e]+$/.test(secretAccessKey))
    return { accessKeyId, secretAccessKey }
  throw new ConfigurationError(`${names.join(' and ')} must be plain characters without spaces.`)
}

/** Variable for the secret of an OpenID provider. */
export const PROVIDER_SECRET = 'MIEN_OIDC_CLIENT_SECRET'

/** Variable for the token of a database. */
export const DATABASE_TOKEN = 'MIEN_DATABASE_TOKEN'

/**
 * Reads the address, for commands that need no other configuration; undefined when the metadata is in the data folder.
 * Throws ConfigurationError.
 */
export async function readDatabase(
  environment: Variables,
  pathOf: (path: string) => string = resolve,
): Promise<DatabaseAddress | undefined> {
  const url = environment.MIEN_DATABASE_URL
  if (!url) return undefined
  const fault = faultOfUrl(url)
  if (fault !== undefined) throw new ConfigurationError(`MIEN_DATABASE_URL ${fault}`)
  return { url, token: await givenSecret(environment, DATABASE_TOKEN, pathOf) }
}

/** Variables for the key, and for the key that replaces it. */
export const OPERATOR_KEY = 'MIEN_ENCRYPTION_KEY'
export const NEW_OPERATOR_KEY = 'MIEN_ENCRYPTION_NEW_KEY'

/**
 * Reads the key; undefined when none is set. `pathOf` resolves the file's path. Throws ConfigurationError, without key
 * material, when the key is invalid, set twice, or in a file that all users can read.
 */
export async function readOperatorKey(
  environment: Variables,
  name = OPERATOR_KEY,
  pathOf: (path: string) => string = resolve,
): Promise<OperatorKey | undefined> {
  const text = await givenSecret(environment, name, pathOf)
  if (text === undefined) return undefined
  const key = parseOperatorKey(text)
  if (key) return key
  throw new ConfigurationError(
    `${environment[fileOf(name)] ? fileOf(name) : name} must give 32 random bytes, as 64 hexadecimal digits or as Base64: ` +
      'openssl rand -hex 32',
  )
}
