/** `npm run token`: makes, lists and revokes API tokens, also while the service runs. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { timestampText } from '../core/contract/timestamps.ts'
import { createToken, listTokens, revokeToken } from '../core/metadata/issue-tokens.ts'
import { dataFolder } from './paths.ts'

const USAGE = `npm run token -- create --owner NAME [--name TEXT]   make a token; the owner is made when new
npm run token -- list                                 list all tokens
npm run token -- revoke ID                            end a token for good

  --data DIR   data folder   MIEN_DATA   (./data of the project)`

const ROOT = resolve(import.meta.dirname, '..')

interface Request {
  data: string
  owner: string | undefined
  name: string
  id: string | undefined
}

/** Each does its work and answers with the process's exit code. */
const COMMANDS: Record<string, (request: Request) => Promise<number>> = {
  async create({ data, owner, name }) {
    if (!owner) return misused('create needs --owner NAME.')
    console.log(await createToken({ data, owner, name }))
    console.error('This is the only time that the token is shown.')
    return 0
  },

  async list({ data }) {
    const tokens = await listTokens(data)
    console.table(
      tokens.map(({ id, owner, name, created, revoked }) => ({
        id,
        owner,
        name,
        created: timestampText(created),
        revoked: revoked === null ? '' : timestampText(revoked),
      })),
    )
    return 0
  },

  async revoke({ data, id }) {
    if (!id) return misused('revoke needs the ID of a token, as list shows it.')
    const ended = await revokeToken(data, id)
    if (ended) console.log(`The token ${id} is revoked.`)
    else console.error(`There is no valid token ${id}.`)
    return ended ? 0 : 1
  },
}

function misused(complaint: string): number {
  console.error(`${complaint}\n\n${USAGE}`)
  return 2
}

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { data: { type: 'string' }, owner: { type: 'string' }, name: { type: 'string', default: '' } },
  })
  const [command = '', id] = positionals
  const perform = COMMANDS[command]
  if (!perform) return misused(command === '' ? 'What is to be done?' : `There is no command "${command}".`)
  const data = dataFolder(values.data, ROOT)
  return perform({ data, owner: values.owner, name: values.name, id })
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  process.exitCode = misused(error instanceof Error ? error.message : String(error))
}
