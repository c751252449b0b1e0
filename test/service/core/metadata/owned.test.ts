/** Row-level proof of owners: no statement that a caller's question runs touches an owned table without its owner. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { OWNER } from '../../../../bench/harness/sample-faces.ts'
import { RPC_OPERATIONS, type RpcOperation, rpcPath } from '../../../../core/contract/rpc/operations.ts'
import { STREAMS, type StreamName, streamPath } from '../../../../core/contract/rpc/streams.ts'
import type { Database } from '../../../../core/metadata/database.ts'
import * as schema from '../../../../core/metadata/schema.ts'
import { asked } from '../http/asked.ts'
import { askEverything } from '../http/every-operation.ts'
import { tokenIn } from '../http/token.ts'
import { openWorld } from '../operations/world.ts'
import { type Statement, unowned } from './sql.ts'

/** Tables whose rows belong to an owner; that of the owners themselves is one, by its id. */
const OWNED = new Set(
  Object.values(schema)
    .filter(table => is(table, SQLiteTable))
    .map(getTableConfig)
    .filter(({ name, columns }) => name === 'owners' || columns.some(column => column.name === 'owner'))
    .map(({ name }) => name),
)

/** Statements that a question may run without its owner, and why. Each has to be run. */
const ALLOWED = [
  {
    why: 'the token says who the owner is',
    sql: /^select .* from "tokens" inner join "owners" .* where \("tokens"."hash" = \?/,
  },
  {
    why: 'ids are free when nobody has them',
    sql: /INSERT INTO unsettled .* WHERE NOT EXISTS \(SELECT 1 FROM faces WHERE faces.id IN/,
  },
  {
    why: 'a note is settled for whomever it is of',
    sql: /^select "id", "owner" from "faces" where "faces"."id" in/,
  },
  { why: 'the same', sql: /^select "face", "gallery" from "memberships" where "memberships"."face" in/ },
  { why: "a work's notes are of one owner", sql: /from "unsettled" where "unsettled"."work" = \?/ },
  { why: 'notes are forgotten by their ids', sql: /^delete from "unsettled" where "unsettled"."id" in/ },
  {
    why: 'what is old is forgotten for all',
    sql: /^delete from "remembered_answers" where "remembered_answers"."created" </,
  },
  {
    why: 'the end of the log is that of all',
    sql: /^select .* from "audit" order by "audit"."seq" desc limit \?/,
  },
]

/** Every statement that the database is asked for from now on. */
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

describe('every statement that a question of the edge runs', () => {
  it('names the owner of each owned table, but for those that are allowed', async () => {
    const world = {
      ...(await openWorld()),
      estimate: async (faces: readonly unknown[]) => faces.map(() => ({})),
    }
    const { ask, read, answered } = await asked(world)
    const hash = await tokenIn(world)
    const statements = recording(world.database)
    await askEverything(ask, read, hash)
    const paths = [
      ...(Object.keys(RPC_OPERATIONS) as RpcOperation[]).map(rpcPath),
      ...(Object.keys(STREAMS) as StreamName[]).map(streamPath),
    ]
    expect([...answered].sort()).toEqual(paths.sort())
    const lacking = statements.filter(statement => unowned(statement, OWNER, OWNED).length > 0)
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

describe('a statement', () => {
  it.each([
    'select "id" from "faces" where "faces"."owner" = ?',
    'select "id" from "faces" where ("faces"."owner" = ? and ("faces"."id" < 5 or "faces"."id" > 9))',
    'select "id" from "faces" where (? = "faces"."owner")',
    'delete from "cameras" where (("cameras"."owner" = ? and "cameras"."id" = 5) and "cameras"."going" = 0)',
    'insert into "persons" ("owner", "id") values (?, 5), (?, 6)',
    'update "owners" set "retention_days" = 5 where "owners"."id" = ?',
    'select 1 from faces f join memberships m on m.owner = f.owner and m.face = f.id where f.owner = ?',
    'delete from "faces" where ("faces"."owner" = ? and not exists (select 1 from "cameras" where "cameras"."owner" = "faces"."owner"))',
  ])('that names its owner is let through: %s', sql => {
    expect(unowned({ sql, args: [OWNER, OWNER] }, OWNER, OWNED)).toEqual([])
  })

  it.each([
    { sql: 'select "id" from "faces"', lacks: 'faces' },
    { sql: 'select "id" from "faces" where "faces"."id" = ?', lacks: 'faces' },
    { sql: 'select "id" from "faces" where ("faces"."owner" = ? or "faces"."id" = 5)', lacks: 'faces' },
    { sql: 'select "id" from "faces" where not "faces"."owner" = ?', lacks: 'faces' },
    { sql: 'select "id" from "faces" where "faces"."owner" <> ?', lacks: 'faces' },
    { sql: 'select "id" from "faces" where "faces"."owner" = "faces"."owner"', lacks: 'faces' },
    { sql: 'update "cameras" set "owner" = ?', lacks: 'cameras' },
    { sql: 'delete from "galleries" where "galleries"."name" = ?', lacks: 'galleries' },
    { sql: 'insert into "persons" ("owner", "id") values (5, ?)', lacks: 'persons' },
    {
      sql: 'select 1 from faces f left join memberships m on m.face = f.id where f.owner = ?',
      lacks: 'memberships',
    },
    {
      sql: 'select "id" from "faces" where ("faces"."owner" = ? and exists (select 1 from "cameras" where "cameras"."id" = "faces"."cam_id"))',
      lacks: 'cameras',
    },
    { sql: 'select 1 from faces where owner = ? union all select 1 from persons', lacks: 'persons' },
  ])('that does not is found: $sql', ({ sql, lacks }) => {
    expect(unowned({ sql, args: [OWNER] }, OWNER, OWNED)).toEqual([lacks])
  })

  it('for another owner than the one who asks is found', () => {
    const sql = 'select "id" from "faces" where "faces"."owner" = ?'
    expect(unowned({ sql, args: ['somebody else'] }, OWNER, OWNED)).toEqual(['faces'])
  })
})

const words = (text: string) => new Set(text.split(/\s+/))

/** Queries that are for all owners, or find out who one is: of the sweeper, of a start, of operators. */
const FOR_ALL =
  words(`faceCounts faceKeysOf nextFaceKeys unpicturedCount deletedGalleries deletedOwners allOwners
  ownerNamed markOwnerDeleted retainingOwners tokenOfHash allTokens endToken replaceableToken recordTokenUse forgetAnswers deleteIntentsOfWork
  deleteIntents intentsOfWork nextIntents takeIntents renewCore endCore livingCores forgetDeadCores livingIds lastEntry insertEntries nextEntries auditEntries entryAt prune prunedLinks
  idLists summedTable metadataFaults markUnpictured isUnused markOwnerDeletedById installationOf claimInstallation replaceInstallation`)

/** Those whose rows say of whom they are. */
const OF_ROWS = words('insertCamera insertPersons keepAnswer insertToken')

describe('the sources of core/metadata', () => {
  it('give an owner to every other query', async () => {
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
