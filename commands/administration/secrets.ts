/** Lists the keys of an installation, and rotates them while the service runs. */
import { keyId } from '../../contract/rpc/signature.ts'
import {
  readSecrets,
  retireSecret,
  rotateSecret,
  type SecretName,
  type Secrets,
} from '../../core/configuration/secrets.ts'
import { writeOperation } from '../../core/metadata/audit-log/entries.ts'
import { withDatabase } from '../../core/metadata/database.ts'
import { insertEvidenceKey } from '../../core/metadata/events/evidence-keys.ts'
import { newPair } from '../../core/operations/events/evidence-export.ts'
import { type GlobalOptions, type JsonOptions, printJson } from '../terminal/command-line.ts'
import { existingFolder, metadataOf } from '../terminal/data-folder.ts'
import { printTable } from '../terminal/table.ts'

/** The operator's next step after a rotation, as in docs/administration.md. */
const AFTER_ROTATION: Record<SecretName, string> = {
  edge: 'Give every edge the new key (show edge; npm start takes it at its next start), then: retire edge',
  links: 'Older links stay valid until they expire, at most a day and an hour from now. Then: retire links',
}

export async function list(options: JsonOptions): Promise<number> {
  const { edge, links } = await readSecrets(existingFolder(options.data))
  const edgeIds = await Promise.all(edge.map(({ key }) => keyId(key)))
  const keys = [
    ...edge.map((key, i) => ({ key: 'edge', id: edgeIds[i]!, ...stateOf(key, i) })),
    ...links.map((key, i) => ({ key: 'links', id: key.id, ...stateOf(key, i) })),
  ]
  if (options.json) printJson(keys)
  else printKeys(keys)
  return 0
}

function printKeys(keys: readonly { key: string; id: string; state: string; made: string | null }[]) {
  printTable(
    keys.map(({ made, ...key }) => ({ ...key, made: made ?? 'unknown' })),
    'There are no keys.',
  )
  if (process.env.MIEN_EDGE_SECRET) console.log('MIEN_EDGE_SECRET is set: it replaces the keys of edge.')
}

export async function rotate(options: GlobalOptions, name: SecretName | 'evidence'): Promise<number> {
  const data = existingFolder(options.data)
  if (name === 'evidence') return rotateEvidenceKey(data)
  await recordOperation(data, 'rotate', name)
  await rotateSecret(data, name)
  console.log(`A new key of ${name} signs. ${AFTER_ROTATION[name]}`)
  return 0
}

async function rotateEvidenceKey(data: string) {
  const settings = await metadataOf(data)
  const { id: key } = await withDatabase(data, settings, database =>
    insertEvidenceKey(database, newPair(), Date.now() * 1000),
  )
  // A restore with the audit log replays the entry of the operation.
  await writeOperation(data, { action: 'evidence.key', subject: { key } }, settings)
  console.log('A new key of evidence signs. Publish its public part: mien api listEvidenceKeys')
  return 0
}

export async function retire(options: GlobalOptions, name: SecretName): Promise<number> {
  const data = existingFolder(options.data)
  await recordOperation(data, 'retire', name)
  await retireSecret(data, name)
  console.log(`The previous key of ${name} is no longer accepted.`)
  return 0
}

/** Prints the key alone on standard output, for scripts. */
export async function show(options: GlobalOptions, name: 'edge'): Promise<number> {
  const data = existingFolder(options.data)
  const secrets = await readSecrets(data)
  await recordOperation(data, 'show', name)
  console.log(secrets.edge[0].key)
  return 0
}

/** Records the operation in the audit log before it is done: without the folder's key, nothing happens. */
const recordOperation = async (data: string, what: string, name: SecretName) =>
  writeOperation(data, { action: `secrets.${what}`, subject: { of: name } }, await metadataOf(data))

/** Field names are documented in docs/command-line.md. The first key signs, the second is the previous one. */
const stateOf = ({ made }: Secrets['edge'][number], place: number) => ({
  state: place === 0 ? 'signing' : 'accepted',
  made: made ?? null,
})
