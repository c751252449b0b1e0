/** `npm run secrets`: lists the keys of an installation, and rotates them while the service runs. */
import { resolve } from 'node:path'
import {
  readSecrets,
  retireSecret,
  rotateSecret,
  SECRET_NAMES,
  type SecretName,
  type Secrets,
} from '../core/configuration/secrets.ts'
import { keyId } from '../core/contract/rpc/signature.ts'
import { writeOperation } from '../core/metadata/audit-log/operator-entries.ts'
import { printJson, runCommand } from './terminal/command-line.ts'
import { requireFolder } from './terminal/data-folder.ts'
import { metadataOf } from './terminal/metadata.ts'
import { dataFolder } from './terminal/paths.ts'
import { printTable } from './terminal/table.ts'
import { UsageError } from './terminal/usage-error.ts'

const USAGE = `npm run secrets -- COMMAND [options]

Lists and rotates the keys of an installation. A running service takes a change
within seconds.

Commands:
  list                List the keys by their ids, never the keys themselves.
  rotate edge|links   Create a key that signs from now on. The previous one
                      stays valid until it is retired.
  retire edge|links   End the previous key.
  show edge           Print the edge's key, for wrangler secret put EDGE_SECRET.

Options:
  --json      list: print one JSON array
  --data DIR  data folder (MIEN_DATA; default: data in the project)
  -h, --help  print this help

Examples:
  npm run secrets -- list
  npm run secrets -- rotate links
  npm run secrets -- retire links
  npm run --silent secrets -- show edge`

const ROOT = resolve(import.meta.dirname, '..')

const OPTIONS = { data: { type: 'string' }, json: { type: 'boolean', default: false } } as const

const ACTIONS = {
  list: { options: ['json'] },
  rotate: { most: 1 },
  retire: { most: 1 },
  show: { most: 1 },
}

interface Request {
  data: string
  /** Argument of the command. */
  name: string | undefined
  json: boolean
}

/** The operator's next step after a rotation, as in docs/operations.md. */
const AFTER_ROTATION: Record<SecretName, string> = {
  edge: 'Give every edge the new key (show edge; npm start takes it at its next start), then: retire edge',
  links: 'Links that were given out before live on. A day and an hour from now none is left: retire links',
}

const COMMANDS: Record<keyof typeof ACTIONS, (request: Request) => Promise<void>> = {
  async list({ data, json }) {
    const { edge, links } = await readSecrets(data)
    const edgeIds = await Promise.all(edge.map(({ key }) => keyId(key)))
    const keys = [
      ...edge.map((key, i) => ({ key: 'edge', id: edgeIds[i]!, ...stateOf(key, i) })),
      ...links.map((key, i) => ({ key: 'links', id: key.id, ...stateOf(key, i) })),
    ]
    if (json) return printJson(keys)
    printTable(
      keys.map(({ made, ...key }) => ({ ...key, made: made ?? 'unknown' })),
      'There are no keys.',
    )
    if (process.env.MIEN_EDGE_SECRET)
      console.log('MIEN_EDGE_SECRET is set: it stands in for the keys of edge.')
  },

  async rotate({ data, name: given }) {
    const name = nameOf('rotate', given)
    await recordOperation(data, 'rotate', name)
    await rotateSecret(data, name)
    console.log(`A new key of ${name} signs. ${AFTER_ROTATION[name]}`)
  },

  async retire({ data, name: given }) {
    const name = nameOf('retire', given)
    await recordOperation(data, 'retire', name)
    await retireSecret(data, name)
    console.log(`The previous key of ${name} is accepted no more.`)
  },

  async show({ data, name: given }) {
    if (given !== 'edge') throw new UsageError('Only the key of edge is ever needed elsewhere: show edge.')
    const secrets = await readSecrets(data)
    await recordOperation(data, 'show', given)
    console.log(secrets.edge[0].key)
  },
}

/** Records the operation in the audit log before it is done: without the folder's key, nothing happens. */
const recordOperation = async (data: string, what: string, name: SecretName): Promise<void> =>
  writeOperation(data, { action: `secrets.${what}`, subject: { of: name } }, await metadataOf(data))

/** Field names are documented in docs/operations.md. The first key signs, the second is the previous one. */
const stateOf = ({ made }: Secrets['edge'][number], place: number) => ({
  state: place === 0 ? 'signing' : 'accepted',
  made: made ?? null,
})

function nameOf(command: string, given: string | undefined): SecretName {
  const name = SECRET_NAMES.find(known => known === given)
  if (!name) throw new UsageError(`What is to be done with which key? ${command} edge, or ${command} links.`)
  return name
}

await runCommand({ usage: USAGE, options: OPTIONS, actions: ACTIONS }, async given => {
  const { action, args, values } = given
  const data = dataFolder(values.data, ROOT)
  requireFolder(data)
  await COMMANDS[action]({ data, name: args[0], json: values.json })
  return 0
})
