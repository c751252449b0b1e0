/** Verifies a data folder: all checksums, and the consistency of metadata, vectors, codes and pictures. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { retry } from '../../contract/environment.ts'
import { readSecrets, SECRETS_FILE } from '../configuration/secrets.ts'
import { type DataKey, databaseKey } from '../encryption/encrypt.ts'
import { verifyAudit } from '../metadata/audit-log/verification.ts'
import { METADATA_FILE } from '../metadata/database.ts'
import { metadataFaults } from '../metadata/row-sums.ts'
import { type CheckedStores, findMissing } from '../operations/consistency/missing.ts'
import type { Stores } from '../operations/services.ts'
import { journalFault } from '../vector-store/rows/row-journal.ts'
import { verifyFiles } from '../vector-store/verify.ts'

/** Missing vectors and pictures that are listed. Further ones are counted. */
const LISTED = 20

/** Database and data key of the verification. */
export interface Verifying extends Pick<CheckedStores, 'vectors' | 'pictures'> {
  /** A function is called only if the file is intact: text that is not UTF-8 would crash the process. */
  database: Stores['database'] | (() => Promise<Stores['database']>)
  dataKey?: DataKey
}

/** Returns the faults of a data folder as messages for the operator; empty when there are none. `stores` are its open stores. */
export async function verifyAll(
  data: string,
  stores: Verifying,
  onFaces?: (checked: number) => void,
): Promise<string[]> {
  const metadata = await metadataFaultsIn(data, stores.dataKey)
  const before = await codeCounts(stores.vectors)
  const { dataKey } = stores
  const { faults, rows } = await verifyFiles(join(data, 'vectors'), dataKey)
  const after = await codeCounts(stores.vectors)
  // The service may add or remove vectors at the same time: the greater of both sizes is at least the size in the file.
  const codes = (gallery: string) => Math.max(before.get(gallery) ?? 0, after.get(gallery) ?? 0)
  return [
    ...metadata,
    // Optional files, which must be readable when they are there.
    ...(existsSync(join(data, SECRETS_FILE)) ? await faultIn(readSecrets(data)) : []),
    ...faults,
    ...[...rows]
      .filter(([gallery, count]) => codes(gallery) < count)
      .map(([gallery, count]) => `The gallery ${gallery} has ${count} rows and ${codes(gallery)} codes.`),
    ...(metadata.length === 0 ? await withoutMetadataFaults(stores, onFaces) : []),
  ]
}

/** Attempts to read the journal while the service writes to it. */
const JOURNAL_READS = 3

/** Faults of the metadata files. Checks the journal separately because SQLite silently ignores its damaged part. */
async function metadataFaultsIn(data: string, dataKey: DataKey | undefined): Promise<string[]> {
  const path = join(data, METADATA_FILE)
  const journal = `${path}-wal`
  const damage = await retry(() => journalFault(journal), {
    isDone: fault => !fault,
    attempts: JOURNAL_READS,
    delayMs: 100,
  })
  return [
    ...(damage
      ? [`${journal} is damaged: the last changes are lost, or were broken off by a loss of power.`]
      : []),
    ...metadataFaults(path, dataKey && databaseKey(dataKey)).map(fault => `${path}: ${fault}`),
  ]
}

async function withoutMetadataFaults(
  { database, ...stores }: Verifying,
  onFaces?: (checked: number) => void,
): Promise<string[]> {
  const opened = typeof database === 'function' ? await database() : database
  const { fault } = await verifyAudit(opened)
  const missingItems = await missing({ ...stores, database: opened }, onFaces)
  return fault === undefined ? missingItems : [`The audit log was changed: ${fault}.`, ...missingItems]
}

/** The message of a failed read. */
const faultIn = (reading: Promise<unknown>): Promise<string[]> =>
  reading.then(
    () => [],
    (error: Error) => [error.message],
  )

/** Number of codes of each gallery. Shards in PostgreSQL add to the codes of local files. */
async function codeCounts(vectors: CheckedStores['vectors']): Promise<Map<string, number>> {
  const galleries = await vectors.galleries()
  return new Map(
    galleries.map(({ gallery, linear, preindex, indexed }) => [gallery, linear + preindex + indexed]),
  )
}

async function missing(stores: CheckedStores, onFaces?: (checked: number) => void): Promise<string[]> {
  const named: string[] = []
  let missingCount = 0
  let checked = 0
  for await (const { faces, vectors, pictures } of findMissing(stores)) {
    checked += faces
    onFaces?.(checked)
    const missingItems = [
      ...vectors.map(({ gallery, id }) => `Face ${id} has no vector in ${gallery}.`),
      ...pictures.map(({ id, kind }) => `Face ${id} has no ${kind} picture.`),
    ]
    missingCount += missingItems.length
    named.push(...missingItems.slice(0, LISTED - named.length))
  }
  return missingCount > named.length ? [...named, `${missingCount - named.length} more of these.`] : named
}
