/** Manages the secrets of an installation: random keys in the data folder, and their rotation while the service runs. */

import { randomBytes } from 'node:crypto'
import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { environment } from '../../contract/environment.ts'
import { isLaterVersion, laterVersion } from '../../contract/later-version.ts'
import { type SigningKey, signingKey } from '../../contract/rpc/signature.ts'
import { makeFolder, syncFolder, writeOnce, writeWhole } from '../files/durable.ts'
import { ignoreCode } from '../files/inspect.ts'
import { holdsSomething, readInstallation } from '../files/record.ts'
import { type Configuration, ConfigurationError } from './environment.ts'

const secret = z.string().min(32)

/** Creation time of a key, ISO 8601; absent in keys of earlier versions. */
const made = z.string().optional()

const EdgeSchema = z.strictObject({ key: secret, made })

const LinksSchema = z.strictObject({ id: z.string().regex(/^[0-9a-z]{1,32}$/), key: secret, made })

/** The signing key, and optionally the previous key, which is still accepted. */
const keysOf = <Key extends z.ZodType>(key: Key) => z.tuple([key], key).refine(keys => keys.length <= 2)

const SecretsSchema = z.strictObject({
  /** Keys that sign requests of the edge to core. */
  edge: keysOf(EdgeSchema),
  /** Keys that sign links to pictures. Each link contains the id of its key. */
  links: keysOf(LinksSchema),
})

export type Secrets = z.infer<typeof SecretsSchema>

/** Format of versions without key rotation. */
const OlderSchema = z
  .strictObject({ edge: secret, links: LinksSchema.omit({ made: true }) })
  .transform(({ edge, links }): Secrets => ({ edge: [{ key: edge }], links: [links] }))

/** Names of the keys that can be rotated. */
const SECRET_NAMES = ['edge', 'links'] as const

export type SecretName = (typeof SECRET_NAMES)[number]

const newKey = () => ({
  key: randomBytes(32).toString('base64url'),
  made: new Date(environment.now()).toISOString(),
})

const newLinksKey = () => ({ id: randomBytes(4).toString('hex'), ...newKey() })

const newSecrets = (): Secrets => ({ edge: [newKey()], links: [newLinksKey()] })

/** File name in the data folder. */
export const SECRETS_FILE = 'secrets.json'

const bytesOf = (secrets: Secrets): Uint8Array => Buffer.from(`${JSON.stringify(secrets, null, 2)}\n`)

/**
 * The secrets of this data folder. The first process creates them; concurrent processes get the same secrets. Throws
 * ConfigurationError when the file is damaged: new secrets would invalidate all links, and requests of the edge.
 */
export async function openSecrets(data: string): Promise<Secrets> {
  const path = join(data, SECRETS_FILE)
  return parse(path, (await readIfThere(path)) ?? (await createSecrets(data, path)))
}

/**
 * Whether a data folder that has been in use has lost its secrets. New ones are then created, and signatures of the old
 * ones become invalid.
 */
export const secretsAreLost = async (data: string): Promise<boolean> =>
  (await readInstallation(data).catch(() => undefined)) !== undefined &&
  !(await holdsSomething(join(data, SECRETS_FILE)))

/** The secrets of a folder that must have them. Throws ConfigurationError when they are damaged or missing. */
export async function readSecrets(data: string): Promise<Secrets> {
  const path = join(data, SECRETS_FILE)
  const text = await readIfThere(path)
  if (text === undefined) throw new ConfigurationError(`${path} is not there: the first start makes it.`)
  return parse(path, text)
}

function parse(path: string, text: string): Secrets {
  let content: unknown
  try {
    content = JSON.parse(text)
    return z.union([SecretsSchema, OlderSchema]).parse(content)
  } catch (error) {
    if (isLaterVersion(content)) throw new ConfigurationError(laterVersion(path), { cause: error })
    const advice =
      'Restore it from a backup, or remove it to have new secrets made: links to pictures then end.'
    throw new ConfigurationError(`${path} is damaged. ${advice}`, { cause: error })
  }
}

/** Creates the file unless another process was faster, and reads the resulting file. */
async function createSecrets(data: string, path: string): Promise<string> {
  await makeFolder(data)
  await writeOnce(path, bytesOf(newSecrets()))
  return readFile(path, 'utf8')
}

const readIfThere = (path: string) => readFile(path, 'utf8').catch(ignoreCode('ENOENT'))

/**
 * Makes a new key the signing key; the previous one is still accepted. Throws ConfigurationError while an even older
 * key is accepted: its signatures would become invalid without notice.
 */
export async function rotateSecret(data: string, name: SecretName): Promise<Secrets> {
  const secrets = await readSecrets(data)
  if (secrets[name].length > 1)
    throw new ConfigurationError(`The previous key of ${name} is still accepted. Retire it first.`)
  const { edge, links } = secrets
  if (name === 'edge') return write(data, { links, edge: [newKey(), edge[0]] })
  return write(data, { edge, links: [newLinksKey(), links[0]] })
}

/** Stops accepting the previous key. Throws ConfigurationError when there is none. */
export async function retireSecret(data: string, name: SecretName): Promise<Secrets> {
  const secrets = await readSecrets(data)
  if (secrets[name].length === 1) throw new ConfigurationError(`There is no previous key of ${name}.`)
  return write(data, { ...secrets, [name]: [secrets[name][0]] })
}

async function write(data: string, secrets: Secrets): Promise<Secrets> {
  await writeWhole(join(data, SECRETS_FILE), bytesOf(secrets), data)
  await syncFolder(data)
  return secrets
}

/** The current keys: the signing key first, then keys that are still accepted. */
interface Keys {
  edge(): readonly SigningKey[]
  links(): Secrets['links']
  close(): void
}

/** Polling interval of the file in milliseconds. */
const POLL_INTERVAL_MS = 2_000

/**
 * Opens or creates the data folder's secrets, and follows changes. Throws ConfigurationError when they are damaged.
 * `report` receives the outcome of each later change: while the file is damaged, the previous keys stay in use.
 */
export async function openKeys(
  { data, ...environment }: Pick<Configuration, 'data' | 'edgeSecret' | 'edgeSecretPrevious'>,
  report: { taken(): void; refused(error: unknown): void },
): Promise<Keys> {
  const keysOf = async (secrets: Secrets) => ({
    edge: await edgeKeys(environment, secrets),
    links: secrets.links,
  })
  let keys = await keysOf(await openSecrets(data))
  const follow = async () => {
    keys = await keysOf(await readSecrets(data))
  }
  const onChange = () => void follow().then(report.taken, report.refused)
  const path = join(data, SECRETS_FILE)
  watchFile(path, { persistent: false, interval: POLL_INTERVAL_MS }, onChange)
  return {
    edge: () => keys.edge,
    links: () => keys.links,
    close: () => unwatchFile(path, onChange),
  }
}

/** The environment's secret replaces the secrets of the folder. The environment's previous secret is also accepted. */
const edgeKeys = (
  { edgeSecret, edgeSecretPrevious }: Pick<Configuration, 'edgeSecret' | 'edgeSecretPrevious'>,
  { edge }: Secrets,
): Promise<SigningKey[]> => {
  const own = edgeSecret === undefined ? edge.map(({ key }) => key) : [edgeSecret]
  return Promise.all(
    [...own, ...(edgeSecretPrevious === undefined ? [] : [edgeSecretPrevious])].map(signingKey),
  )
}
