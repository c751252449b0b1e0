/** `npm run token`: makes, lists, replaces and revokes API tokens, also while the service runs. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { SCOPES, type Scope } from '../core/contract/scope.ts'
import { timestampText } from '../core/contract/timestamps.ts'
import type { MetadataSettings } from '../core/metadata/database.ts'
import { createToken, listTokens, revokeToken, rotateToken } from '../core/metadata/issue-tokens.ts'
import { metadataFor } from './metadata.ts'
import { Misused, runCommand } from './misused.ts'
import { dataFolder } from './paths.ts'
import { durationMs, endOf } from './times.ts'

const USAGE = `npm run token -- create --owner NAME [options]   make a token; the owner is made when new
npm run token -- list                            list all tokens
npm run token -- rotate ID [--grace 24h]         make a token like it, which takes its place; it ends after the grace time
npm run token -- revoke ID                       end a token for good, now

  --scope SCOPE  what it may be used for (admin):
                   read    search, list and get
                   enrol   that, and post, change and delete faces one by one, and make galleries
                   camera  post faces, and read cameras
                   admin   everything
  --expires WHEN when it ends: 90d, 12h, or a day or time such as 2027-01-31 (never)
  --rate N       requests a second that it may make (MIEN_REQUESTS_PER_SECOND of the service)
  --name TEXT    what it is for
  --data DIR     data folder   MIEN_DATA   (./data of the project)`

const ROOT = resolve(import.meta.dirname, '..')

const OPTIONS = {
  data: { type: 'string' },
  owner: { type: 'string' },
  name: { type: 'string', default: '' },
  scope: { type: 'string', default: 'admin' },
  expires: { type: 'string' },
  rate: { type: 'string' },
  grace: { type: 'string', default: '24h' },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

interface Request {
  data: string
  settings: MetadataSettings
  values: Values
  /** The token that is meant. */
  id: string | undefined
}

/** Each does its work and answers with the process's exit code. */
const COMMANDS: Record<string, (request: Request) => Promise<number>> = {
  async create({ data, settings, values: { owner, name, scope, expires, rate } }) {
    if (!owner) throw new Misused('create needs --owner NAME.')
    const token = await createToken({
      ...settings,
      data,
      owner,
      name,
      scope: scopeNamed(scope),
      expires: expires === undefined ? undefined : endOf(expires, Date.now()),
      rate: rate === undefined ? undefined : rateOf(rate),
    })
    shown(token)
    return 0
  },

  async list({ data, settings }) {
    const tokens = await listTokens(data, settings)
    console.table(
      tokens.map(({ id, owner, name, scope, rate, created, used, expires, revoked }) => ({
        id,
        owner,
        name,
        scope,
        rate: rate ?? '',
        created: timestampText(created),
        'last used': timeText(used),
        expires: timeText(expires),
        revoked: timeText(revoked),
      })),
    )
    return 0
  },

  async rotate({ data, settings, values: { grace }, id }) {
    if (!id) throw new Misused('rotate needs the ID of a token, as list shows it.')
    const made = await rotateToken(data, id, durationMs(grace, '--grace'), settings)
    if (!made) return nothingDone(`There is no valid token ${id}, or another one takes its place already.`)
    shown(made.token)
    console.error(`The new token ${made.id} ends ${made.expires === null ? 'never' : onTime(made.expires)}.`)
    console.error(`The old token ${id} ends ${onTime(made.oldEnds)}.`)
    return 0
  },

  async revoke({ data, settings, id }) {
    if (!id) throw new Misused('revoke needs the ID of a token, as list shows it.')
    if (!(await revokeToken(data, id, settings))) return nothingDone(`There is no valid token ${id}.`)
    console.log(`The token ${id} is revoked.`)
    return 0
  },
}

/** The token alone on standard output, for scripts. */
function shown(token: string): void {
  console.log(token)
  console.error('This is the only time that the token is shown.')
}

function nothingDone(why: string): number {
  console.error(why)
  return 1
}

const timeText = (micros: number | null): string => (micros === null ? '' : timestampText(micros))

const onTime = (micros: number): string => `on ${timestampText(micros)} (UTC)`

function scopeNamed(text: string): Scope {
  const scope = SCOPES.find(one => one === text)
  if (!scope) throw new Misused(`--scope takes ${SCOPES.join(', ')}, not "${text}".`)
  return scope
}

function rateOf(text: string): number {
  const rate = Number(text)
  if (rate > 0 && Number.isFinite(rate)) return rate
  throw new Misused(`--rate takes a number of requests a second above 0, not "${text}".`)
}

await runCommand(USAGE, async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS })
  const [command = '', id] = positionals
  const perform = COMMANDS[command]
  if (!perform)
    throw new Misused(command === '' ? 'What is to be done?' : `There is no command "${command}".`)
  const data = dataFolder(values.data, ROOT)
  return perform({ data, settings: await metadataFor(data), values, id })
})
