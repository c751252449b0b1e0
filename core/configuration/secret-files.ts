/** Reads secrets from files: a variable with the suffix _FILE names the file that holds the variable's value. */
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
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
export async function givenSecret(
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
