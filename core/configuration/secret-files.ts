/** Secrets in files: what a variable would say, out of the file that its sister with _FILE names. */
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ConfigurationError } from './environment.ts'

/** Those that may come in a file, as credentials of systemd and secrets of containers do. */
const SECRETS = [
  'MIEN_EDGE_SECRET',
  'MIEN_EDGE_SECRET_PREVIOUS',
  'MIEN_OPERATOR_TOKEN',
  'MIEN_DATABASE_TOKEN',
  'MIEN_S3_SECRET_ACCESS_KEY',
] as const

/** Bits of a file's mode that let everybody at it. */
const ANYBODY = 0o007

/**
 * The secrets that lie in files, and nothing for the names of the files: to be laid over the environment. `pathOf` finds a
 * file. Throws ConfigurationError, which says nothing of a secret, when one comes twice or its file must not be read.
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

/** What one variable says, or the file that the other names; undefined when neither is set. Throws ConfigurationError. */
export async function givenSecret(
  environment: Record<string, string | undefined>,
  { key, file }: { key: string; file: string },
  pathOf: (path: string) => string = resolve,
): Promise<string | undefined> {
  const [given, path] = [environment[key], environment[file]]
  if (given && path) throw new ConfigurationError(`${key} and ${file} are both set: give one of them.`)
  // An empty file is no lack of a secret, but a wrong one.
  const text = path ? await readSecretFile(pathOf(path), file) : given || undefined
  return text?.trim()
}

/** The text of a file that this variable names. Throws ConfigurationError when it can't be read, or everybody can read it. */
async function readSecretFile(path: string, variable: string): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) throw new ConfigurationError(`${variable} names ${path}, which can't be read.`)
  try {
    if (process.platform !== 'win32' && ((await file.stat()).mode & ANYBODY) !== 0)
      throw new ConfigurationError(`${variable} names ${path}, which everybody can read: chmod 600 ${path}`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}
