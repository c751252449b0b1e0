/** The metadata's connection: to the file of a data folder, or to a database elsewhere; with its guarantees and its schema. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Client, createClient, type InStatement, LibsqlError } from '@libsql/client'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/libsql'
import { migrate } from 'drizzle-orm/libsql/migrator'
import { LIMITS } from '../contract/limits.ts'
import { databaseKey } from '../encryption/database-key.ts'
import type { DataKey } from '../encryption/encrypt.ts'
import { isDiskFull } from '../files/disk-full.ts'
import { holdsSomething } from '../files/installation.ts'
import { isStillOpenFile } from '../files/open-file.ts'
import { type DatabaseAddress, isFile } from './connection/address.ts'
import {
  isDatabaseUnavailable,
  type OnDatabaseAvailability,
  refusedWith,
  watched,
} from './connection/availability.ts'
import { retryRefusedConnections } from './connection/refused-connections.ts'
import {
  DatabaseRefused,
  rememberAddress,
  requireMetadataFile,
  requireSameAddress,
} from './connection/remembered-address.ts'
import { queuedWrites } from './connection/write-queue.ts'
import { keepSums } from './row-sums.ts'

export type Database = ReturnType<typeof drizzle>

/** How the metadata of a data folder is reached. */
export interface MetadataSettings {
  /** The data folder's, where it is encrypted. */
  dataKey?: DataKey | undefined
  /** Where the metadata is; the data folder's own file when absent. */
  database?: DatabaseAddress | undefined
  onDatabase?: OnDatabaseAvailability | undefined
  /** How long it is waited for a server that does not answer yet, in milliseconds; not at all unless given. */
  patienceMs?: number | undefined
  /** Makes `metadata.db` anew where the folder's is lost, for a repair. */
  repair?: boolean | undefined
}

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url))

/** The metadata's place in the data folder. */
export const METADATA_FILE = 'metadata.db'

/** How long a statement waits for another process, such as the token command, to finish its write. */
const BUSY_TIMEOUT_MS = 5_000

/** Questions that a server is asked at once. */
const QUESTIONS = 20

/** How long a server may take for one answer while the schema is brought up to date. */
const MIGRATION_MS = 120_000

/** How often it is asked again while it does not answer, and how often migrations are tried that another core may be at. */
const TRY_AGAIN_MS = 500
const MIGRATION_TRIES = 5

/**
 * The metadata of this data folder, made and brought up to date when needed. In the data folder it is encrypted as a whole where
 * there is a data key. Rejects with DatabaseRefused, whose message is for the operator, and with DatabaseUnavailable.
 *
 * One connection serves a file: a second one would come without these pragmas and could meet the first as a BUSY lock. So
 * statements and batches run one after the other there, and `transaction` must not be used: it would hold the connection
 * across awaits, and a stream of a server.
 */
export async function openDatabase(data: string, settings: MetadataSettings = {}): Promise<Database> {
  const { database: address, dataKey, onDatabase = () => {}, patienceMs = 0 } = settings
  await mkdir(data, { recursive: true, mode: 0o700 })
  await requireSameAddress(data, address, {
    own: existsSync(join(data, METADATA_FILE)),
    sealed: dataKey !== undefined,
  })
  const path = join(data, METADATA_FILE)
  if (!address && !settings.repair && !(await holdsSomething(path)))
    await requireMetadataFile(data, METADATA_FILE)
  const patient = { answerMs: MIGRATION_MS, refusedMs: 0 }
  const file: OpenFile = { isHeld: () => true }
  const client =
    address && !isFile(address)
      ? serverClient(address, patient)
      : fileClient(address?.url ?? `file:${encodeURI(path)}`, file, address ? undefined : dataKey)
  const database = drizzle(watched(client, onDatabase))
  try {
    if (address && !isFile(address)) await greet(database, address, performance.now() + patienceMs)
    else await setPragmas(database, dataKey !== undefined)
    await bringUpToDate(database)
    if (!address || isFile(address)) await keepSums(database)
    if (address) await rememberAddress(data, address)
    else file.isHeld = isStillOpenFile(path)
  } catch (error) {
    client.close()
    throw error
  }
  Object.assign(patient, { answerMs: LIMITS.databaseAnswerMs, refusedMs: LIMITS.databasePatienceMs })
  return database
}

/** The file of a connection: false once it was removed or replaced on the disk. What is written to it then is lost. */
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
  // drizzle begins a batch as a reader; upgrading a reader fails at once when another process has written meanwhile.
  const [execute, batch] = [client.execute.bind(client), client.batch.bind(client)]
  const requireHeld = (): void => {
    if (!file.isHeld()) throw new LibsqlError(`${url} was removed or replaced`, 'FILE_REPLACED')
  }
  return Object.assign(client, {
    execute: async (statement: InStatement) => {
      requireHeld()
      return execute(statement)
    },
    batch: async (statements: Parameters<Client['batch']>[0]) => {
      requireHeld()
      return batch(statements, 'write')
    },
  })
}

function serverClient(
  { url, token }: DatabaseAddress,
  patient: { answerMs: number; refusedMs: number },
): Client {
  const client = createClient({
    url,
    concurrency: QUESTIONS,
    ...(token !== undefined && { authToken: token }),
    fetch: retryRefusedConnections(
      request => fetch(request, { signal: AbortSignal.timeout(patient.answerMs) }),
      () => patient.refusedMs,
    ),
  })
  return queuedWrites(client)
}

async function setPragmas(database: Database, sealed: boolean): Promise<void> {
  for (const pragma of [
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    // What replaces a row fires the triggers of its deletion (sums.ts).
    'recursive_triggers = ON',
    'secure_delete = ON',
    // What is sorted in a file of its own would lie there in the clear.
    ...(sealed ? ['temp_store = MEMORY'] : []),
  ]) {
    await database.run(sql.raw(`PRAGMA ${pragma}`))
  }
}

/** Asks a server for what nothing here can do without, until it answers or the time is over. */
async function greet(database: Database, address: DatabaseAddress, until: number): Promise<void> {
  for (;;) {
    try {
      const { rows } = await database.run(sql`PRAGMA foreign_keys`)
      if (Number(rows[0]?.foreign_keys) === 1) return
      throw new DatabaseRefused(`The database at ${address.url} does not keep to foreign keys.`)
    } catch (error) {
      if (refusedWith(error)) {
        const known =
          address.token === undefined ? 'wants a token: MIEN_DATABASE_TOKEN' : 'refuses MIEN_DATABASE_TOKEN'
        throw new DatabaseRefused(`The database at ${address.url} ${known}.`)
      }
      if (!isDatabaseUnavailable(error)) throw error
      if (performance.now() >= until)
        throw new DatabaseRefused(`The database at ${address.url} does not answer.`)
      await sleep(TRY_AGAIN_MS)
    }
  }
}

/** Two cores that start at once may both begin: the second then finds what the first has made. */
async function bringUpToDate(database: Database): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await migrate(database, { migrationsFolder: MIGRATIONS })
    } catch (error) {
      if (database.$client.protocol === 'file' || tried === MIGRATION_TRIES) throw error
      await sleep(TRY_AGAIN_MS)
    }
  }
}

/** Resolves when the database answers, and rejects when it does not. */
export async function ping(database: Database): Promise<void> {
  await database.run(sql`SELECT 1`)
}

/**
 * Lets go of it; of a file, with the journal folded back into it. The journal stays on a full disk, which is as durable, and
 * where the file is gone.
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

/** The same, and leaves one file: nothing else works in this folder. */
export async function closeAsOneFile(database: Database): Promise<void> {
  await database.run(sql`PRAGMA journal_mode = DELETE`)
  database.$client.close()
}
