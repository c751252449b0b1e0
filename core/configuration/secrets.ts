/** The secrets of an installation: made at random on the first start, kept in the data folder, readable by its owner only. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { makeFolder, syncFolder, writeOnce, writeWhole } from '../files/durable.ts'
import { ignoreCode } from '../files/expected-errors.ts'
import { holdsSomething, readInstallation } from '../files/installation.ts'
import { ConfigurationError } from './environment.ts'

const secret = z.string().min(32)

/** When a key was made, ISO 8601; keys of earlier versions do not know. */
const made = z.string().optional()

const EdgeSchema = z.strictObject({ key: secret, made })

const LinksSchema = z.strictObject({ id: z.string().regex(/^[0-9a-z]{1,32}$/), key: secret, made })

/** The key that signs, and the one before it where that is accepted still. */
const keysOf = <Key extends z.ZodType>(key: Key) => z.tuple([key], key).refine(keys => keys.length <= 2)

const SecretsSchema = z.strictObject({
  /** Sign what the edge asks of core. */
  edge: keysOf(EdgeSchema),
  /** Sign the links to pictures; the id of one is in every link. */
  links: keysOf(LinksSchema),
})

export type Secrets = z.infer<typeof SecretsSchema>

/** As they were written before keys could be rotated. */
const OlderSchema = z
  .strictObject({ edge: secret, links: LinksSchema.omit({ made: true }) })
  .transform(({ edge, links }): Secrets => ({ edge: [{ key: edge }], links: [links] }))

/** What can be rotated. */
export const SECRET_NAMES = ['edge', 'links'] as const

export type SecretName = (typeof SECRET_NAMES)[number]

const newKey = () => ({ key: randomBytes(32).toString('base64url'), made: new Date().toISOString() })

const newLinksKey = () => ({ id: randomBytes(4).toString('hex'), ...newKey() })

const newSecrets = (): Secrets => ({ edge: [newKey()], links: [newLinksKey()] })

/** In the data folder. */
export const SECRETS_FILE = 'secrets.json'

const bytesOf = (secrets: Secrets): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(secrets, null, 2)}\n`)

/**
 * The secrets of this data folder. The first process to ask makes them; when several ask at once, all get the same.
 * Throws ConfigurationError when the file is damaged: made anew, every link given out and the edge would fail.
 */
export async function openSecrets(data: string): Promise<Secrets> {
  const path = join(data, SECRETS_FILE)
  return parse(path, (await readIfThere(path)) ?? (await createSecrets(data, path)))
}

/** Whether a data folder that has been in use has no secrets any more: they are made anew, and what the old ones signed ends. */
export const secretsAreLost = async (data: string): Promise<boolean> =>
  (await readInstallation(data).catch(() => undefined)) !== undefined &&
  !(await holdsSomething(join(data, SECRETS_FILE)))

/** The same, of a folder that must have them: throws ConfigurationError also where there are none. */
export async function readSecrets(data: string): Promise<Secrets> {
  const path = join(data, SECRETS_FILE)
  const text = await readIfThere(path)
  if (text === undefined) throw new ConfigurationError(`${path} is not there: the first start makes it.`)
  return parse(path, text)
}

function parse(path: string, text: string): Secrets {
  try {
    return z.union([SecretsSchema, OlderSchema]).parse(JSON.parse(text))
  } catch (error) {
    const advice =
      'Restore it from a backup, or remove it to have new secrets made: links to pictures then end.'
    throw new ConfigurationError(`${path} is damaged. ${advice}`, { cause: error })
  }
}

/** Makes the file unless another process was quicker, and reads what is there afterwards. */
async function createSecrets(data: string, path: string): Promise<string> {
  await makeFolder(data)
  await writeOnce(path, bytesOf(newSecrets()))
  return readFile(path, 'utf8')
}

const readIfThere = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch(ignoreCode('ENOENT'))

/**
 * From now on a new key signs, and the one before it is accepted still. Throws ConfigurationError while an older one is
 * kept: what it signed would end without anybody having said so.
 */
export async function rotateSecret(data: string, name: SecretName): Promise<Secrets> {
  const secrets = await readSecrets(data)
  if (secrets[name].length > 1)
    throw new ConfigurationError(`The previous key of ${name} is accepted still. Retire it first.`)
  return write(data, {
    edge: name === 'edge' ? [newKey(), secrets.edge[0]] : secrets.edge,
    links: name === 'links' ? [newLinksKey(), secrets.links[0]] : secrets.links,
  })
}

/** From now on the key that signs is the only one. Throws ConfigurationError when it is so already. */
export async function retireSecret(data: string, name: SecretName): Promise<Secrets> {
  const secrets = await readSecrets(data)
  if (secrets[name].length === 1) throw new ConfigurationError(`There is no previous key of ${name}.`)
  return write(data, {
    edge: name === 'edge' ? [secrets.edge[0]] : secrets.edge,
    links: name === 'links' ? [secrets.links[0]] : secrets.links,
  })
}

async function write(data: string, secrets: Secrets): Promise<Secrets> {
  await writeWhole(join(data, SECRETS_FILE), bytesOf(secrets), data)
  await syncFolder(data)
  return secrets
}
