/** Opens the metadata: the file of a data folder, a file elsewhere or a server, with its pragmas and its schema. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, createClient, type InStatement, LibsqlError } from '@libsql/client/sqlite3'
import { sql } from 'drizzle-orm'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { drizzle } from 'drizzle-orm/libsql/sqlite3'
import { environment, retry } from '../../contract/environment.ts'
import { STORE_LIMITS } from '../../contract/limits/store.ts'
import { type DataKey, databaseKey } from '../encryption/encrypt.ts'
import { isDiskFull } from '../files/disk-space.ts'
import { isStillOpenFile } from '../files/inspect.ts'
import { holdsSomething } from '../files/record.ts'
import {
  type DatabaseAddress,
  DatabaseRefused,
  isFile,
  rememberAddress,
  requireMetadataFile,
  requireSameAddress,
} from './connection/address.ts'
import {
  isDatabaseUnavailable,
  type OnDatabaseAvailability,
  refusedStatus,
  retryRefusedConnections,
  watchAvailability,
} from './connection/availability.ts'
import { assertInTime, isInChange, isReading } from './connection/change.ts'
import { queuedWrites } from './connection/write-queue.ts'
import { mendTextPersons, migrateSchema, type OnMigration, requireKnownSchema } from './migrate.ts'
import { fillFoldedNames } from './person-names.ts'
import { installSums } from './row-sums.ts'

export type Database = ReturnType<typeof drizzle>

/** Settings for access to the metadata of a data folder. */
export interface MetadataSettings {
  /** Key of the data folder, when it is encrypted. */
  dataKey?: DataKey
  /** Address of the metadata; the data folder's own file when absent. */
  database?: DatabaseAddress
  onDatabase?: OnDatabaseAvailability
  onMigration?: OnMigration
  /** How long to wait for a server that does not respond yet, in milliseconds; 0 when absent. */
  patienceMs?: number
  /** Creates a new `metadata.db` when the folder's file is lost, for a repair. */
  repair?: boolean
}

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url))

/** Name of the metadata file in the data folder. */
export const METADATA_FILE = 'metadata.db'

/** How long a statement waits for the write of another process, for example of the token command. */
const BUSY_TIMEOUT_MS = 5_000

/** Concurrent requests to a server. */
const CONCURRENT_REQUESTS = 20

/** Timeout of one request to a server while migrations run. */
const MIGRATION_MS = 120_000

/** Pause before a server is asked again. */
const RETRY_PAUSE_MS = 500

/**
 * Opens the metadata of this data folder; creates and migrates it when needed. With a data key, a file in the data folder is
 * encrypted as a whole. Rejects with DatabaseRefused, whose message is for the operator, and with DatabaseUnavailable.
 *
 * A file has one connection: a second one would lack these pragmas and could fail with a BUSY lock. Statements and batches run in
 * sequence. `transaction` must not be used: it would hold the connection, or a stream of a server, across awaits.
 */
export async function openDatabase(data: string, settings: MetadataSettings = {}): Promise<Database> {
  const { database: address, dataKey } = settings
  await mkdir(data, { recursive: true, mode: 0o700 })
  await requireAddress(data, settings)
  const path = join(data, METADATA_FILE)
  if (!address && !settings.repair && !(await holdsSomething(path)))
    await requireMetadataFile(data, METADATA_FILE)
  const { database, file, timeouts } = await connect(data, settings)
  try {
    const isServer = address && !isFile(address)
    if (!isServer) await setPragmas(database, dataKey !== undefined)
    await migrateSchema(database, {
      folder: MIGRATIONS,
      where: address?.url ?? path,
      onMigration: settings.onMigration,
    })
    if (!isServer) await installSums(database)
    await mendTextPersons(database)
    await fillFoldedNames(database)
    if (address) await rememberAddress(data, address)
    else file.isHeld = isStillOpenFile(path)
  } catch (error) {
    database.$client.close()
    throw error
  }
  Object.assign(timeouts, {
    answerMs: STORE_LIMITS.databaseAnswerMs,
    refusedMs: STORE_LIMITS.databasePatienceMs,
  })
  return database
}

/**
 * Throws DatabaseRefused when a later version migrated the metadata of this data folder. Changes nothing. Does nothing
 * when there is no metadata.
 */
export async function requireKnownMetadata(data: string, settings: MetadataSettings): Promise<void> {
  await requireAddress(data, settings)
  if (!settings.database && !(await holdsSomething(join(data, METADATA_FILE)))) return
  const { database } = await connect(data, settings)
  database.$client.close()
}

const requireAddress = (data: string, { database, dataKey }: MetadataSettings) =>
  requireSameAddress(data, database, {
    own: existsSync(join(data, METADATA_FILE)),
    sealed: dataKey !== undefined,
  })

interface Connection {
  database: LibSQLDatabase & { $client: Client }
  file: OpenFile
  timeouts: Timeouts
}

/** Connects, and checks that the schema is known. Changes nothing in a file that exists. */
async function connect(data: string, settings: MetadataSettings): Promise<Connection> {
  const { database: address, dataKey, onDatabase = () => {}, patienceMs = 0 } = settings
  const timeouts = { answerMs: MIGRATION_MS, refusedMs: 0 }
  const file: OpenFile = { isHeld: () => true }
  const path = join(data, METADATA_FILE)
  const client =
    address && !isFile(address)
      ? await serverClient(address, timeouts)
      : fileClient(address?.url ?? `file:${encodeURI(path)}`, file, address ? undefined : dataKey)
  const database = drizzle(watchAvailability(client, onDatabase))
  try {
    if (address && !isFile(address)) await awaitServer(database, address, patienceMs)
    await requireKnownSchema(database, address?.url ?? path)
  } catch (error) {
    client.close()
    throw error
  }
  return { database, file, timeouts }
}

/**
 * The file of a connection. `isHeld` is false once the file was removed or replaced on disk: writes to it would be
 * lost.
 */
interface OpenFile {
  isHeld(): boolean
}

function fileClient(url: string, file: OpenFile, dataKey: DataKey | undefined): Client {
  const client = createClient({
    url,
    concurrency: 1,
    timeout: BUSY_TIMEOUT_MS,
    ...(dataKey && { encryptionKey: databaseKey(dataKey) }),
  })
  // drizzle begins a batch as a reader. The upgrade of a reader fails at once when another process has written since its begin.
  const [execute, batch] = [client.execute.bind(client), client.batch.bind(client)]
  const requireHeld = () => {
    if (!file.isHeld()) throw new LibsqlError(`${url} was removed or replaced`, 'FILE_REPLACED')
  }
  return Object.assign(client, {
    execute: async (statement: InStatement) => {
      requireHeld()
      if (!isInChange() || isReading(statement)) return execute(statement)
      return (await batch(inTime([statement]), 'write'))[0]!
    },
    batch: async (statements: Statements) => {
      requireHeld()
      return batch(isInChange() ? inTime(statements) : statements, 'write')
    },
  })
}

type Statements = Parameters<Client['batch']>[0]

/**
 * The client reads the first statement after BEGIN, which may have waited for another process: a change that is too late by then
 * rejects with TooLate, and the transaction is rolled back.
 */
function inTime([first, ...rest]: Statements): Statements {
  if (first === undefined) return []
  const statement =
    typeof first === 'string'
      ? { sql: first }
      : Array.isArray(first)
        ? { sql: first[0], args: first[1] ?? [] }
        : first
  return [
    {
      ...statement,
      get sql() {
        assertInTime()
        return statement.sql
      },
    },
    ...rest,
  ]
}

/** Time limits of requests to a server, in milliseconds. They change once the migrations have run. */
interface Timeouts {
  answerMs: number
  refusedMs: number
}

async function serverClient({ url, token }: DatabaseAddress, timeouts: Timeouts): Promise<Client> {
  // Loaded on use: a file needs no network protocols.
  const library = await import('@libsql/client')
  const client = library.createClient({
    url,
    concurrency: CONCURRENT_REQUESTS,
    ...(token !== undefined && { authToken: token }),
    fetch: retryRefusedConnections(
      request => fetch(request, { signal: environment.deadline(timeouts.answerMs) }),
      () => timeouts.refusedMs,
    ),
  })
  return queuedWrites(client)
}

async function setPragmas(database: Database, sealed: boolean) {
  for (const pragma of [
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    // REPLACE fires the delete triggers of row-sums.ts only with this pragma.
    'recursive_triggers = ON',
    'secure_delete = ON',
    // A temporary file for sorting would contain plaintext.
    ...(sealed ? ['temp_store = MEMORY'] : []),
  ]) {
    await database.run(sql.raw(`PRAGMA ${pragma}`))
  }
}

/** Waits `patienceMs` at most until a server responds, and checks that the server enforces foreign keys. */
async function awaitServer(database: Database, address: DatabaseAddress, patienceMs: number) {
  const refusal = (problem: string) => new DatabaseRefused(`The database at ${address.url} ${problem}.`)
  const { rows } = await retry(() => database.run(sql`PRAGMA foreign_keys`), {
    isTemporary: error => !refusedStatus(error) && isDatabaseUnavailable(error),
    forMs: patienceMs,
    delayMs: RETRY_PAUSE_MS,
  }).catch(error => {
    if (refusedStatus(error))
      throw refusal(
        address.token === undefined ? 'wants a token: MIEN_DATABASE_TOKEN' : 'refuses MIEN_DATABASE_TOKEN',
      )
    throw isDatabaseUnavailable(error) ? refusal('does not answer') : error
  })
  if (Number(rows[0]?.foreign_keys) !== 1) throw refusal('does not keep to foreign keys')
}

/** Resolves when the database responds; rejects when it does not. */
export async function ping(database: Database): Promise<void> {
  await database.run(sql`SELECT 1`)
}

/**
 * Closes the connection, after a checkpoint of a file's journal. The journal stays when the disk is full, where it is
 * as durable, and when the file was removed.
 */
export async function closeDatabase(database: Database): Promise<void> {
  try {
    if (database.$client.protocol === 'file') await database.run(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
  } catch (error) {
    if (!isDiskFull(error) && !isDatabaseUnavailable(error)) throw error
  } finally {
    database.$client.close()
  }
}

/** Opens the metadata of a data folder for `work`, and closes it. */
export async function withDatabase<Result>(
  data: string,
  settings: MetadataSettings,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(data, settings)
  try {
    return await work(database)
  } finally {
    await closeDatabase(database)
  }
}

/** Closes a file and leaves no journal beside it. No other process may use the folder. */
export async function closeAsOneFile(database: Database): Promise<void> {
  await database.run(sql`PRAGMA journal_mode = DELETE`)
  database.$client.close()
}

/**
 * SQLite keeps its intermediate data in memory: a temporary file would lie outside the data folder. Throws an Error
 * when another process reads the metadata: its journal then still holds the deleted rows.
 */
export async function compactMetadata(data: string, dataKey: DataKey | undefined): Promise<void> {
  const database = await openDatabase(data, { dataKey })
  try {
    await database.run(sql`PRAGMA temp_store = MEMORY`)
    await database.run(sql`VACUUM`)
    const { rows } = await database.run(sql`PRAGMA wal_checkpoint(TRUNCATE)`)
    if (Number(rows[0]?.busy) !== 0) throw new Error('Another process reads the metadata. Try again.')
  } finally {
    database.$client.close()
  }
}
