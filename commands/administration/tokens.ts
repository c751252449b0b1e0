/** Creates, lists, rotates and revokes API tokens of a data folder. */
import { TOKEN_LIMITS } from '../../contract/limits/tokens.ts'
import type { Scope } from '../../contract/model/token.ts'
import { isUserName } from '../../contract/model/user.ts'
import { timestampText } from '../../contract/timestamps.ts'
import {
  createToken,
  listOwners,
  listTokens,
  revokeToken,
  rotateToken,
} from '../../core/metadata/access/issue-tokens.ts'
import { type GlobalOptions, type JsonOptions, printJson, UsageError } from '../terminal/command-line.ts'
import { metadataFor, metadataIn, ServiceNotRunning } from '../terminal/data-folder.ts'
import { dataFolder } from '../terminal/paths.ts'
import { printTable } from '../terminal/table.ts'
import { durationMs, endOf, isoTime, minuteText } from '../terminal/times.ts'

interface CreateOptions extends GlobalOptions {
  owner?: string
  scope: Scope
  expires?: string
  rate?: string
  name: string
  new?: boolean
  newOwner?: boolean
}

interface RotateOptions extends GlobalOptions {
  grace: string
}

/** Number of owners that an error names. */
const OWNERS_SHOWN = 5

export async function create(options: CreateOptions): Promise<number> {
  const { name, scope, expires, rate } = options
  const wanted = {
    name,
    scope,
    expires: expires === undefined ? undefined : endOf(expires, Date.now()),
    rate: rate === undefined ? undefined : rateOf(rate),
  }
  const data = dataFolder(options.data)
  const settings = await (options.new ? metadataFor(data) : metadataIn(data).catch(adviseNew))
  const owner = ownerOf(options, await listOwners(data, settings))
  printToken(await createToken({ ...settings, data, owner, ...wanted }))
  if (options.owner === undefined) console.error(`It belongs to the owner "${owner}".`)
  return 0
}

export async function list(options: JsonOptions): Promise<number> {
  const data = dataFolder(options.data)
  const tokens = await listTokens(data, await metadataIn(data))
  if (options.json) printJson(tokens.map(documentOf))
  else printTable(tokens.map(rowOf), 'There are no tokens.')
  return 0
}

export async function rotate(options: RotateOptions, id: string): Promise<number> {
  const data = dataFolder(options.data)
  const graceMs = durationMs(options.grace, '--grace')
  if (graceMs > TOKEN_LIMITS.graceHours * 3_600_000)
    throw new UsageError(`--grace takes at most ${TOKEN_LIMITS.graceHours}h, not "${options.grace}".`)
  const made = await rotateToken(data, id, graceMs, await metadataIn(data))
  if (!made) return fail(`There is no valid token ${id}, or it was rotated already.`)
  printToken(made.token)
  console.error(`The new token ${made.id} ends ${made.expires === null ? 'never' : onTime(made.expires)}.`)
  console.error(`The old token ${id} ends ${onTime(made.oldEnds)}.`)
  return 0
}

/** The time until edges without a core beside them forget a lookup. */
const WITHIN = `Edges on machines without core refuse it within ${TOKEN_LIMITS.trustedMs / 1000} seconds.`

export async function revoke(options: GlobalOptions, id: string): Promise<number> {
  const data = dataFolder(options.data)
  if (!(await revokeToken(data, id, await metadataIn(data)))) return fail(`There is no valid token ${id}.`)
  console.log(`The token ${id} is revoked. ${WITHIN}`)
  return 0
}

type Token = Awaited<ReturnType<typeof listTokens>>[number]

/** Field names are documented in docs/command-line.md. */
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

const endText = (micros: number | null) => (micros === null ? 'never' : minuteText(micros))

/** The owner of the new token: one of these owners, or a new one. Throws UsageError. */
function ownerOf({ owner, newOwner }: CreateOptions, known: readonly string[]) {
  const shown = known.slice(0, OWNERS_SHOWN).map(name => `"${name}"`)
  const names = `${shown.join(', ')}${known.length > OWNERS_SHOWN ? ', ...' : ''}`
  const found = ['no owner', `the owner ${names}`][known.length] ?? `${known.length} owners: ${names}`
  if (owner === undefined) {
    if (known.length === 1 && !newOwner) return known[0]!
    throw new UsageError(`--owner is missing. The data folder has ${found}. Name one with --owner.`)
  }
  if (known.includes(owner)) return owner
  if (!isUserName(owner))
    throw new UsageError('--owner takes a name: one line of 1 to 80 characters, without spaces at its ends.')
  if (known.length === 0 || newOwner) return owner
  throw new UsageError(
    `There is no owner "${owner}". The data folder has ${found}. --new-owner creates another one, with separate data: ` +
      'then only commands change the settings of the service.',
  )
}

function adviseNew(error: unknown): never {
  if (!(error instanceof ServiceNotRunning)) throw error
  throw new Error(`${error.message} To create the token before the first start, add --new.`)
}

/** Prints the token alone on standard output, for scripts. */
function printToken(token: string) {
  console.log(token)
  console.error('This is the only time that the token is shown.')
}

function fail(why: string) {
  console.error(why)
  return 1
}

const onTime = (micros: number) => `on ${timestampText(micros)} (UTC)`

function rateOf(text: string) {
  const rate = Number(text)
  if (rate >= TOKEN_LIMITS.leastRate && rate <= TOKEN_LIMITS.rate) return rate
  throw new UsageError(
    `--rate takes a number of requests a second from ${TOKEN_LIMITS.leastRate} to ${TOKEN_LIMITS.rate}, not "${text}".`,
  )
}
