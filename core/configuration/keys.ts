/** The keys in use: of the environment and of the data folder, also after they were rotated beside the running service. */
import { unwatchFile, watchFile } from 'node:fs'
import { join } from 'node:path'
import { type SigningKey, signingKey } from '../contract/rpc/signature.ts'
import type { Configuration } from './environment.ts'
import { openSecrets, readSecrets, SECRETS_FILE, type Secrets } from './secrets.ts'

/** Each the one that signs first, and then those that are accepted still. */
export interface Keys {
  edge(): readonly SigningKey[]
  links(): Secrets['links']
  close(): void
}

export interface KeysSettings extends Pick<Configuration, 'data' | 'edgeSecret' | 'edgeSecretPrevious'> {
  /** How often the file is looked at, in milliseconds. */
  everyMs?: number
}

const LOOK_EVERY_MS = 2_000

/**
 * Opens the data folder's secrets, or makes them, and follows what becomes of them. Throws ConfigurationError when they
 * are damaged; `tell` hears how a later change was taken: while the file is damaged, the keys stay as they were.
 */
export async function openKeys(
  { data, everyMs = LOOK_EVERY_MS, ...environment }: KeysSettings,
  tell: { taken(): void; refused(error: unknown): void },
): Promise<Keys> {
  const keysOf = async (secrets: Secrets) => ({
    edge: await edgeKeys(environment, secrets),
    links: secrets.links,
  })
  let keys = await keysOf(await openSecrets(data))
  const follow = async (): Promise<void> => {
    keys = await keysOf(await readSecrets(data))
  }
  const onChange = () => void follow().then(tell.taken, tell.refused)
  const path = join(data, SECRETS_FILE)
  watchFile(path, { persistent: false, interval: everyMs }, onChange)
  return {
    edge: () => keys.edge,
    links: () => keys.links,
    close: () => unwatchFile(path, onChange),
  }
}

/** The environment's secret stands in for those of the folder; its previous one is accepted beside either. */
const edgeKeys = (
  { edgeSecret, edgeSecretPrevious }: Pick<Configuration, 'edgeSecret' | 'edgeSecretPrevious'>,
  { edge }: Secrets,
): Promise<SigningKey[]> => {
  const own = edgeSecret === undefined ? edge.map(({ key }) => key) : [edgeSecret]
  return Promise.all(
    [...own, ...(edgeSecretPrevious === undefined ? [] : [edgeSecretPrevious])].map(signingKey),
  )
}
