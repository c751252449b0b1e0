/** Isolation of owners: every statement of a caller's request has the owner as an argument. */
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import {
  RPC_OPERATIONS,
  type RpcOperation,
  rpcPath,
  STREAMS,
  type StreamName,
  streamPath,
} from '#contract/operations/messages.ts'
import * as accessSchema from '#core/metadata/access/schema.ts'
import { insertToken } from '#core/metadata/access/tokens.ts'
import { endAttempt } from '#core/metadata/alerts/deliveries.ts'
import * as alertSchema from '#core/metadata/alerts/schema.ts'
import { BACKUP_REQUESTED } from '#core/metadata/audit-log/entries.ts'
import * as cameraSchema from '#core/metadata/cameras/schema.ts'
import type { Database } from '#core/metadata/database.ts'
import * as personSchema from '#core/metadata/persons/schema.ts'
import * as schema from '#core/metadata/schema.ts'
import { OTHER_OWNER, OWNER, TOKEN } from '#test/support/sample-faces.ts'
import { ENDLESS, openRoutes } from '../http/asked.ts'
import { askEverything, failingIn } from '../http/every-operation.ts'
import { tokenIn } from '../http/token.ts'
import { leaveOneOwner, openWorld } from '../operations/world.ts'

/** Tables with rows of an owner; the table of owners counts, by its id. */
const TABLES = Object.values({
  ...schema,
  ...accessSchema,
  ...alertSchema,
  ...cameraSchema,
  ...personSchema,
})
  .filter(table => is(table, SQLiteTable))
  .map(getTableConfig)
  .filter(({ name, columns }) => name === 'owners' || columns.some(column => column.name === 'owner'))

const OWNED = new Set(TABLES.map(({ name }) => name))

/** One query for the rows of an owner in all tables but the audit log. */
const rowsQuery = (owner: string) =>
  TABLES.filter(({ name }) => name !== 'audit')
    .map(({ name, columns }) => {
      const values = columns.map(column => `quote("${column.name}")`).join(` || ' ' || `)
      return `SELECT '${name} ' || ${values} AS row FROM "${name}" WHERE ${name === 'owners' ? 'id' : 'owner'} = '${owner}'`
    })
    .join(' UNION ALL ')

/** Statements that may run without the owner, by the reason. Each must occur. */
const ALLOWED = {
  'the token determines the owner': [
    /^select .* from "tokens" inner join "owners" .* where \("tokens"."hash" = \?/,
  ],
  'the audit log names the user of a token': [
    /^select .* from "tokens" inner join "users" .* where "tokens"."id" = \?/,
  ],
  'a sign-in determines the owner': [
    /^select .* from "users" inner join "owners" .* where \("users"."(name|link)" = \?/,
    /^select .* from "passkeys" inner join "users" .* where \("passkeys"."id" = \?/,
    /^insert into "passkeys" .* from "users" where \("users"."link" = \?/,
    /^update "users" set "link" = \?.* where "users"."link" = \?$/,
  ],
  'sessions belong to one user': [/^delete from "tokens" where \("tokens"."user" = \?/],
  'reconciliation handles intents of all owners': [
    /^select "id", "owner", \(SELECT .* FROM events WHERE events.face = faces.id\) from "faces" where "faces"."id" in/,
    /^select "face", "gallery" from "memberships" where "memberships"."face" in/,
  ],
  'intents of one operation have one owner': [/from "unsettled" where "unsettled"."work" = \?/],
  'intents are deleted by id': [/^delete from "unsettled" where "unsettled"."id" in/],
  'expired answers of all owners are deleted': [
    /^delete from "remembered_answers" where "remembered_answers"."created" </,
  ],
  'streams of all owners are woken by one query': [
    /^select max\("seq"\) from "events"$/,
    /^select max\("id"\) from "deliveries"$/,
    /^select "owner", max\("seq"\) from "events" where "events"."seq" > \? group by \+"events"."owner" union all select/,
  ],
  'the verification reads the chain of all owners': [
    /^select .* from "audit" where "audit"."seq" > \? order by/,
  ],
  'a backup concerns no owner': [
    /^select "seq", .* from "audit" where \("audit"."owner" is null and "audit"."action" = \?\)/,
  ],
  'the only owner may change the settings of the service': [/^select "name" from "owners" where/],
  'the audit log has one chain for all owners': [
    /^select .* from "audit" order by "audit"."seq" desc limit \?/,
  ],
}

/** Changes of the service that core refuses to one of several owners. */
const OF_ONLY_OWNER: readonly string[] = ['backup.request', 'evidence.key']

/** A statement with its arguments. */
interface Statement {
  sql: string
  args: readonly unknown[]
}

/** Whether a statement names a table with rows of owners, and no argument is the owner. */
const lacksOwner = ({ sql, args }: Statement) =>
  (sql.match(/\w+/g) ?? []).some(word => OWNED.has(word)) && !args.includes(OWNER)

/** Records every statement from now on. */
function recording({ $client: client }: Database): Statement[] {
  const statements: Statement[] = []
  const keep = (statement: unknown) => {
    const { sql, args } = statement as { sql: string; args: unknown[] }
    statements.push({ sql: sql.replaceAll(/\s+/g, ' '), args })
  }
  const [execute, batch] = [client.execute.bind(client), client.batch.bind(client)]
  client.execute = ((statement: never) => {
    keep(statement)
    return execute(statement)
  }) as typeof client.execute
  client.batch = (given: never[]) => {
    given.forEach(keep)
    return batch(given)
  }
  return statements
}

/** Owners run the same requests in turns: `turn(n)` resolves when the other owner has ended its requests before the n-th. */
function turnsOfTwo() {
  const ended = [0, 0]
  const waiting = new Set<() => void>()
  return {
    async turn(which: 0 | 1, n: number) {
      while (ended[1 - which]! < n + which) await new Promise<void>(resolve => waiting.add(resolve))
    },
    end(which: 0 | 1) {
      ended[which]!++
      for (const resolve of waiting) resolve()
      waiting.clear()
    },
  }
}

/** Services with an estimator that finds nothing. */
const openEstimating = async () => ({
  ...(await openWorld()),
  estimate: async (faces: readonly unknown[]) => faces.map(() => ({})),
})

/** An answer without what differs between two equal owners: ids, times, keys and signed files. */
const comparable = (answer: unknown) =>
  JSON.stringify(answer, (key, value) => {
    if (
      /^(id|delivery|next|older|newer|position|seq|challenge|secret|owner|frame_age|key|public_key|bytes)$|_id$/.test(
        key,
      ) &&
      value !== undefined
    )
      return key
    if (typeof value === 'number' && value > 100_000) return 'number'
    return typeof value === 'string' && /[0-9a-f]{8}|[T ]\d\d:|:\/\//.test(value) ? 'text' : value
  }).replaceAll('"Bob"', '"Ben"')

it('two owners with equal data get the answers of an owner alone, and change no row of each other', {
  tags: 'long',
}, async () => {
  const world = await openEstimating()
  const { database } = world
  const { ask, read, post } = await openRoutes(world)
  const rowsOf = async (owner: string) =>
    (await database.run(rowsQuery(owner))).rows.map(({ row }) => row).sort()
  const theirs = { id: 'ba'.repeat(6), hash: 'ba'.repeat(32), owner: OTHER_OWNER }
  const { turn, end } = turnsOfTwo()
  const answers: string[][] = [[], []]
  const owners = [OWNER, OTHER_OWNER]
  const run = async (which: 0 | 1, hash: string) => {
    const other = owners[1 - which]!
    let n = 0
    // Tokens, codes, browsers, and names that sign in without an owner, are of one owner.
    const own = <Request>(request: Request): Request =>
      which === 0
        ? request
        : JSON.parse(
            JSON.stringify(request)
              .replaceAll(OWNER, OTHER_OWNER)
              .replaceAll(`"${TOKEN}"`, `"${theirs.id}"`)
              .replaceAll('"Ben"', '"Bob"')
              .replaceAll('/push/', '/theirs/')
              .replaceAll(/"([0-9a-f])([0-9a-f])(\1\2){31}"/g, (_, a, b) => `"${`${b}${a}`.repeat(32)}"`),
          )
    const inTurn = async (name: string, request: () => Promise<unknown>) => {
      await turn(which, n++)
      const before = await rowsOf(other)
      const answer = await request()
      answers[which]!.push(`${name} ${comparable(answer)}`)
      expect(await rowsOf(other), name).toEqual(before)
      end(which)
      return answer as never
    }
    await askEverything(
      (name, request, blobs) =>
        inTurn(name, () =>
          OF_ONLY_OWNER.includes(name)
            ? post(rpcPath(name), own(request)).then(({ status }) => status)
            : ask(name, own(request), blobs),
        ),
      (name, request) =>
        // An endless one waits for what later requests cause.
        name in ENDLESS
          ? read(name, own(request))
          : inTurn(name, async () => {
              const text = await (await post(streamPath(name), own(request))).text()
              return text.split('\n').map(line => line && JSON.parse(line))
            }),
      hash,
      id => endAttempt(database, { owner: owners[which]!, id, attempts: 0 }, { state: 'failed', ended: 1 }),
    )
  }
  await insertToken(database, { ...theirs, name: '', created: 0, scope: 'admin' })
  await Promise.all([run(0, await tokenIn(world)), run(1, theirs.hash)])
  expect(answers[1]).toEqual(answers[0])
})

it('statements of operations that name a table with rows of owners have the owner as an argument, except the listed ones', {
  tags: 'long',
}, async () => {
  const world = await openEstimating()
  await leaveOneOwner(world)
  const { ask, read, answered } = await openRoutes(world)
  const hash = await tokenIn(world)
  const statements = recording(world.database)
  // While there is a stream, core looks for events of other cores once a second.
  const stream = world.events.subscribe(OWNER)
  await askEverything(ask, read, hash, failingIn(world.database))
  const paths = [
    ...(Object.keys(RPC_OPERATIONS) as RpcOperation[]).map(rpcPath),
    ...(Object.keys(STREAMS) as StreamName[]).map(streamPath),
  ]
  expect([...answered].sort()).toEqual(paths.sort())
  // A request for a backup is passed on to the program that makes them, for no owner.
  const lacking = () => statements.filter(one => lacksOwner(one) && !one.args.includes(BACKUP_REQUESTED))
  const allowed = Object.values(ALLOWED).flat()
  const missed = () => allowed.filter(one => !lacking().some(({ sql }) => one.test(sql)))
  await expect.poll(missed).toEqual([])
  stream.close()
  expect(
    lacking()
      .map(({ sql }) => sql)
      .filter(sql => !allowed.some(one => one.test(sql))),
  ).toEqual([])
  expect(statements.length).toBeGreaterThan(100)
})
