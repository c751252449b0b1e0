/** Isolation of owners: every statement of a caller's request has the owner as an argument. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { OWNER } from '#bench/harness/sample-faces.ts'
import {
  RPC_OPERATIONS,
  type RpcOperation,
  rpcPath,
  STREAMS,
  type StreamName,
  streamPath,
} from '#contract/rpc/operations.ts'
import * as alertSchema from '#core/metadata/alert-schema.ts'
import * as cameraSchema from '#core/metadata/camera-schema.ts'
import type { Database } from '#core/metadata/database.ts'
import * as schema from '#core/metadata/schema.ts'
import { asked } from '../http/asked.ts'
import { askEverything, failingIn } from '../http/every-operation.ts'
import { tokenIn } from '../http/token.ts'
import { openWorld } from '../operations/world.ts'

/** Tables with rows of an owner; the table of owners counts, by its id. */
const OWNED = new Set(
  Object.values({ ...schema, ...alertSchema, ...cameraSchema })
    .filter(table => is(table, SQLiteTable))
    .map(getTableConfig)
    .filter(({ name, columns }) => name === 'owners' || columns.some(column => column.name === 'owner'))
    .map(({ name }) => name),
)

/** Statements that may run without the owner, with the reason. Each must occur. */
const ALLOWED = [
  {
    why: 'the token determines the owner',
    sql: /^select .* from "tokens" inner join "owners" .* where \("tokens"."hash" = \?/,
  },
  {
    why: 'reconciliation handles intents of all owners',
    sql: /^select "id", "owner" from "faces" where "faces"."id" in/,
  },
  {
    why: 'reconciliation handles intents of all owners',
    sql: /^select "face", "gallery" from "memberships" where "memberships"."face" in/,
  },
  { why: 'intents of one operation have one owner', sql: /from "unsettled" where "unsettled"."work" = \?/ },
  { why: 'intents are deleted by id', sql: /^delete from "unsettled" where "unsettled"."id" in/ },
  {
    why: 'expired answers of all owners are deleted',
    sql: /^delete from "remembered_answers" where "remembered_answers"."created" </,
  },
  {
    why: 'streams of all owners are woken by one query',
    sql: /^select max\("seq"\) from "events"$/,
  },
  {
    why: 'streams of all owners are woken by one query',
    sql: /^select max\("id"\) from "deliveries"$/,
  },
  {
    why: 'streams of all owners are woken by one query',
    sql: /^select "owner", max\("seq"\) from "events" where "events"."seq" > \? group by "events"."owner" union all select/,
  },
  {
    why: 'the verification reads the chain of all owners',
    sql: /^select .* from "audit" where "audit"."seq" > \? order by/,
  },
  {
    why: 'a backup concerns no owner',
    sql: /^select "time" from "audit" where \("audit"."owner" is null and "audit"."action" = \?\)/,
  },
  {
    why: 'the audit log has one chain for all owners',
    sql: /^select .* from "audit" order by "audit"."seq" desc limit \?/,
  },
]

/** A statement with its arguments. */
interface Statement {
  sql: string
  args: readonly unknown[]
}

/** Whether a statement names a table with rows of owners, and no argument is the owner. */
const lacksOwner = ({ sql, args }: Statement): boolean =>
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

describe('the statements of all operations', { tags: 'long' }, () => {
  it('have the owner as an argument where they name a table with rows of owners, apart from the listed ones', async () => {
    const world = {
      ...(await openWorld()),
      estimate: async (faces: readonly unknown[]) => faces.map(() => ({})),
    }
    const { ask, read, answered } = await asked(world)
    const hash = await tokenIn(world)
    const statements = recording(world.database)
    await askEverything(ask, read, hash, failingIn(world.database))
    const paths = [
      ...(Object.keys(RPC_OPERATIONS) as RpcOperation[]).map(rpcPath),
      ...(Object.keys(STREAMS) as StreamName[]).map(streamPath),
    ]
    expect([...answered].sort()).toEqual(paths.sort())
    const lacking = statements.filter(lacksOwner)
    const refused = lacking.filter(({ sql }) => !ALLOWED.some(allowed => allowed.sql.test(sql)))
    expect(refused.map(({ sql }) => sql)).toEqual([])
    for (const { sql } of ALLOWED)
      expect(
        lacking.some(statement => sql.test(statement.sql)),
        String(sql),
      ).toBe(true)
    expect(statements.length).toBeGreaterThan(100)
  })
})

const words = (text: string) => new Set(text.split(/\s+/))

/** Queries for all owners, or queries that determine the owner: for background jobs, the start, and operators. */
const FOR_ALL =
  words(`faceCounts faceKeysOf nextFaceKeys unpicturedCount newestOfAll ownersAbove deletedGalleries deletedOwners allOwners
  ownerNamed ownerNames markOwnerDeleted retainingOwners tokenOfHash allTokens endToken replaceableToken recordTokenUse forgetAnswers deleteIntentsOfWork
  deleteIntents intentsOfWork nextIntents takeIntents renewCore endCore livingCores forgetDeadCores livingIds lastEntry backupTimes insertEntries nextEntries auditEntries entryAt prune prunedLinks
  idLists summedTable metadataFaults markUnpictured isUnused markOwnerDeletedById installationOf claimInstallation replaceInstallation alertsBehind ownersWithDue deleteEndedDeliveries forgetPictures
  moveMetadata`)

/** Queries whose rows contain the owner. */
const OF_ROWS = words('insertCamera insertPersons keepAnswer insertToken')

describe('the functions of core/metadata', () => {
  it('take an owner, apart from the listed ones', async () => {
    const folder = join(import.meta.dirname, '..', '..', '..', '..', 'core', 'metadata')
    const ownerless: string[] = []
    for (const file of (await readdir(folder, { recursive: true })).filter(name => name.endsWith('.ts'))) {
      const text = await readFile(join(folder, file), 'utf8')
      const functions = text.split(/^export (?=(?:async )?function|const \w+ = (?:async )?\()/m).slice(1)
      for (const one of functions) {
        const [name] = /\w+(?=\(| = )/.exec(one.replace(/^(?:async )?function |^const /, '')) ?? ['']
        const touches = /\.(from|update|delete|insert|innerJoin)\(/.test(one)
        if (
          touches &&
          !/owner\b/i.test(one.replaceAll(/\/\*\*.*?\*\//gs, '')) &&
          !FOR_ALL.has(name) &&
          !OF_ROWS.has(name)
        )
          ownerless.push(name)
      }
    }
    expect(ownerless).toEqual([])
  })
})
