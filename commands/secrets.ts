/** `npm run secrets`: lists the keys of an installation, and rotates them while the service runs. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  readSecrets,
  retireSecret,
  rotateSecret,
  SECRET_NAMES,
  type SecretName,
  type Secrets,
} from '../core/configuration/secrets.ts'
import { keyId } from '../core/contract/signature.ts'
import { writeOperation } from '../core/metadata/operations.ts'
import { metadataOf } from './metadata.ts'
import { Misused, runCommand } from './misused.ts'
import { dataFolder } from './paths.ts'

const USAGE = `npm run secrets -- list                  the keys, by their ids; never the keys themselves
npm run secrets -- rotate edge|links     a new key signs; the one before it is accepted still
npm run secrets -- retire edge|links     the one before is accepted no more
npm run secrets -- show edge             print the edge's key, for \`wrangler secret put EDGE_SECRET\`

  --data DIR   data folder   MIEN_DATA   (./data of the project)

A running service takes a change within seconds.`

const ROOT = resolve(import.meta.dirname, '..')

/** What is to be done next, in the order of docs/operations.md. */
const AFTER_ROTATION: Record<SecretName, string> = {
  edge: 'Give every edge the new key (show edge; npm start takes it at its next start), then: retire edge',
  links: 'Links that were given out before live on. A day and an hour from now none is left: retire links',
}

const COMMANDS: Record<string, (data: string, name: string | undefined) => Promise<void>> = {
  async list(data) {
    const { edge, links } = await readSecrets(data)
    const edgeIds = await Promise.all(edge.map(({ key }) => keyId(key)))
    console.table([
      ...edge.map((key, i) => rowOf('edge', i, edgeIds[i]!, key)),
      ...links.map((key, i) => rowOf('links', i, key.id, key)),
    ])
    if (process.env.MIEN_EDGE_SECRET)
      console.log('MIEN_EDGE_SECRET is set: it stands in for the keys of edge.')
  },

  async rotate(data, given) {
    const name = nameOf('rotate', given)
    await told(data, 'rotate', name)
    await rotateSecret(data, name)
    console.log(`A new key of ${name} signs. ${AFTER_ROTATION[name]}`)
  },

  async retire(data, given) {
    const name = nameOf('retire', given)
    await told(data, 'retire', name)
    await retireSecret(data, name)
    console.log(`The previous key of ${name} is accepted no more.`)
  },

  async show(data, given) {
    if (given !== 'edge') throw new Misused('Only the key of edge is ever needed elsewhere: show edge.')
    const secrets = await readSecrets(data)
    await told(data, 'show', given)
    console.log(secrets.edge[0].key)
  },
}

/** Writes it down in the audit log, before it is done: where the folder's key is missing, nothing is. */
const told = async (data: string, what: string, name: SecretName): Promise<void> =>
  writeOperation(data, { action: `secrets.${what}`, subject: { of: name } }, await metadataOf(data))

const rowOf = (
  of: SecretName,
  place: number,
  id: string,
  { made }: Secrets['edge'][number],
): Record<string, string> => ({ of, id, made: made ?? '', use: place === 0 ? 'signs' : 'is accepted' })

function nameOf(command: string, given: string | undefined): SecretName {
  const name = SECRET_NAMES.find(known => known === given)
  if (!name) throw new Misused(`What is to be done with which key? ${command} edge, or ${command} links.`)
  return name
}

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { data: { type: 'string' } },
  })
  const [name = '', subject] = positionals
  const command = COMMANDS[name]
  if (!command) throw new Misused(name === '' ? 'What is to be done?' : `There is no command "${name}".`)
  await command(dataFolder(values.data, ROOT), subject)
  return 0
}

await runCommand(USAGE, () => run(process.argv.slice(2)))
