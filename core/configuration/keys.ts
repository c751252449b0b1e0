/** Provides the current keys from environment and data folder, and follows rotations while the service runs. */
import { unwatchFile, watchFile } from 'node:fs'
import { join } from 'node:path'
import { type SigningKey, signingKey } from '../../contract/rpc/signature.ts'
import type { Configuration } from './environment.ts'
import { openSecrets, readSecrets, SECRETS_FILE, type Secrets } from './secrets.ts'

/** The current keys: the signing key first, then keys that are still accepted. */
export interface Keys {
  edge(): readonly SigningKey[]
  links(): Secrets['links']
  close(): void
}

export interface KeysSettings extends Pick<Configuration, 'data' | 'edgeSecret' | 'edgeSecretPrevious'> {
  /** Polling interval of the file in milliseconds. */
  everyMs?: number
}

const POLL_INTERVAL_MS = 2_000

/**
 * Opens or creates the data folder's secrets, and follows changes. Throws ConfigurationError when they are damaged.
 * `report` receives the outcome of each later change: while the file is damaged, the previous keys stay in use.
 */
export async function openKeys(
  { data, everyMs = POLL_INTERVAL_MS, ...environment }: KeysSettings,
  report: { taken(): void; refused(error: unknown): void },
): Promise<Keys> {
  const keysOf = async (secrets: Secrets) => ({
    edge: await edgeKeys(environment, secrets),
    links: secrets.links,
  })
  let keys = await keysOf(await openSecrets(data))
  const follow = async (): Promise<void> => {
    keys = await keysOf(await readSecrets(data))
  }
  const onChange = () => void follow().then(report.taken, report.refused)
  const path = join(data, SECRETS_FILE)
  watchFile(path, { persistent: false, interval: everyMs }, onChange)
  return {
    edge: () => keys.edge,
    links: () => keys.links,
    close: () => unwatchFile(path, onChange),
  }
}

/** The environment's secret replaces those of the folder. Its previous secret is accepted in addition to either. */
const edgeKeys = (
  { edgeSecret, edgeSecretPrevious }: Pick<Configuration, 'edgeSecret' | 'edgeSecretPrevious'>,
  { edge }: Secrets,
): Promise<SigningKey[]> => {
  const own = edgeSecret === undefined ? edge.map(({ key }) => key) : [edgeSecret]
  return Promise.all(
    [...own, ...(edgeSecretPrevious === undefined ? [] : [edgeSecretPrevious])].map(signingKey),
  )
}
