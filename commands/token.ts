/** `npm run token`: creates, lists, rotates and revokes API tokens, also while the service runs. */
import { resolve } from 'node:path'
import { SCOPES, type Scope } from '../core/contract/model/scope.ts'
import { timestampText } from '../core/contract/timestamps.ts'
import { createToken, listTokens, revokeToken, rotateToken } from '../core/metadata/issue-tokens.ts'
import { type Arguments, printJson, runCommand } from './terminal/command-line.ts'
import { ServiceNotRunning } from './terminal/data-folder.ts'
import { metadataFor, metadataIn } from './terminal/metadata.ts'
import { dataFolder } from './terminal/paths.ts'
import { printTable } from './terminal/table.ts'
import { durationMs, endOf, isoTime, minuteText } from './terminal/times.ts'
import { UsageError } from './terminal/usage-error.ts'

const USAGE = `npm run token -- COMMAND [options]

Creates, lists, replaces and revokes API tokens, also while the service runs.

Commands:
  create --owner NAME  Create a token, and the owner if needed.
  list                 List all tokens.
  rotate ID            Create a replacement; the old token ends after --grace.
  revoke ID            End a token now.

Options:
  --scope SCOPE   create: what the token may be used for (default: admin)
                    read    detect, verify, identify, list and get
                    enrol   read; also post, change and delete single faces,
                            and create galleries
                    camera  post faces and read cameras
                    admin   everything
  --expires WHEN  create: 90d, 12h, or a day or time such as 2027-01-31
                  (default: never)
  --rate N        create: requests per second
                  (default: MIEN_REQUESTS_PER_SECOND of the service)
  --name TEXT     create: what the token is for
  --new           create: also in a folder that no service has used yet
  --grace TIME    rotate: how long the old token stays valid (default: 24h)
  --json          list: print one JSON array
  --data DIR      data folder (MIEN_DATA; default: data in the project)
  -h, --help      print this help

Examples:
  npm run token -- create --owner ann --scope camera --expires 90d
  npm run token -- list
  npm run token -- rotate 5f0c1d2e3a4b --grace 1h
  npm run token -- revoke 5f0c1d2e3a4b`

const ROOT = resolve(import.meta.dirname, '..')

const OPTIONS = {
  data: { type: 'string' },
  owner: { type: 'string' },
  name: { type: 'string', default: '' },
  scope: { type: 'string', default: 'admin' },
  expires: { type: 'string' },
  rate: { type: 'string' },
  grace: { type: 'string', default: '24h' },
  new: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

const ACTIONS = {
  create: { options: ['owner', 'name', 'scope', 'expires', 'rate', 'new'] },
  list: { options: ['json'] },
  rotate: { options: ['grace'], most: 1, missing: 'rotate needs the ID of a token, as list shows it.' },
  revoke: { most: 1, missing: 'revoke needs the ID of a token, as list shows it.' },
}

type Values = Arguments<typeof OPTIONS>['values']

interface Request {
  data: string
  values: Values
  /** Id of the token, for rotate and revoke. */
  id: string
}

/** Runs a command and returns the process's exit code. */
const COMMANDS: Record<keyof typeof ACTIONS, (request: Request) => Promise<number>> = {
  async create({ data, values: { owner, name, scope, expires, rate, new: isNew } }) {
    if (!owner) throw new UsageError('create needs --owner NAME.')
    const wanted = {
      owner,
      name,
      scope: scopeNamed(scope),
      expires: expires === undefined ? undefined : endOf(expires, Date.now()),
      rate: rate === undefined ? undefined : rateOf(rate),
    }
    const settings = await (isNew ? metadataFor(data) : metadataIn(data).catch(adviseNew))
    printToken(await createToken({ ...settings, data, ...wanted }))
    return 0
  },

  async list({ data, values: { json } }) {
    const tokens = await listTokens(data, await metadataIn(data))
    if (json) printJson(tokens.map(documentOf))
    else printTable(tokens.map(rowOf), 'There are no tokens.')
    return 0
  },

  async rotate({ data, values: { grace }, id }) {
    const graceMs = durationMs(grace, '--grace')
    const made = await rotateToken(data, id, graceMs, await metadataIn(data))
    if (!made) return fail(`There is no valid token ${id}, or another one takes its place already.`)
    printToken(made.token)
    console.error(`The new token ${made.id} ends ${made.expires === null ? 'never' : onTime(made.expires)}.`)
    console.error(`The old token ${id} ends ${onTime(made.oldEnds)}.`)
    return 0
  },

  async revoke({ data, id }) {
    if (!(await revokeToken(data, id, await metadataIn(data)))) return fail(`There is no valid token ${id}.`)
    console.log(`The token ${id} is revoked.`)
    return 0
  },
}

type Token = Awaited<ReturnType<typeof listTokens>>[number]

/** Field names are documented in docs/operations.md. */
const documentOf = ({ id, owner, name, scope, rate, created, used, expires, revoked }: Token) => ({
  id,
  owner,
  name,
  scope,
  rate,
  created: isoTime(created),
  last_used: isoTime(used),
  expires: isoTime(expires),
  revoked: isoTime(revoked),
})

const rowOf = ({ id, owner, name, scope, rate, used, expires, revoked }: Token) => ({
  id,
  owner,
  scope,
  rate: rate ?? '',
  'last used': used === null ? 'never' : minuteText(used),
  ends: endText(revoked ?? expires),
  name,
})

const endText = (micros: number | null): string => (micros === null ? 'never' : minuteText(micros))

function adviseNew(error: unknown): never {
  if (!(error instanceof ServiceNotRunning)) throw error
  throw new Error(`${error.message} To create the token before the first start, add --new.`)
}

/** Prints the token alone on standard output, for scripts. */
function printToken(token: string): void {
  console.log(token)
  console.error('This is the only time that the token is shown.')
}

function fail(why: string): number {
  console.error(why)
  return 1
}

const onTime = (micros: number): string => `on ${timestampText(micros)} (UTC)`

function scopeNamed(text: string): Scope {
  const scope = SCOPES.find(one => one === text)
  if (!scope) throw new UsageError(`--scope takes ${SCOPES.join(', ')}, not "${text}".`)
  return scope
}

function rateOf(text: string): number {
  const rate = Number(text)
  if (rate > 0 && Number.isFinite(rate)) return rate
  throw new UsageError(`--rate takes a number of requests a second above 0, not "${text}".`)
}

await runCommand(
  { usage: USAGE, options: OPTIONS, actions: ACTIONS },
  ({ action, args: [id = ''], values }) =>
    COMMANDS[action]({ data: dataFolder(values.data, ROOT), values, id }),
)
