/** Verification of all that is kept: every checksum, and whether metadata, vectors, codes and pictures agree. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSite } from '../calibration/site-file.ts'
import { readSecrets, SECRETS_FILE } from '../configuration/secrets.ts'
import { databaseKey } from '../encryption/database-key.ts'
import type { DataKey } from '../encryption/encrypt.ts'
import { verifyAudit } from '../metadata/audit-log/verify.ts'
import { metadataFaults } from '../metadata/damage.ts'
import { METADATA_FILE } from '../metadata/database.ts'
import { missingOf } from '../operations/consistency/missing.ts'
import type { Stores } from '../operations/services.ts'
import { journalFault } from '../vector-store/rows/row-journal.ts'
import type { VectorStore } from '../vector-store/vector-store.ts'
import { verifyFiles } from '../vector-store/verify.ts'

/** Faces whose lacks are named; the others are counted. */
const NAMED = 20

export interface Verifying {
  /** Opened only where its file is whole: a text that is not UTF-8 would end the process. */
  database: Stores['database'] | (() => Promise<Stores['database']>)
  dataKey?: DataKey | undefined
}

/** What is wrong in a data folder, for the operator; nothing when all is well. `stores` are those of the folder. */
export async function verifyAll(
  data: string,
  stores: Pick<Stores, 'vectors' | 'pictures'> & Verifying,
  onFaces?: (checked: number) => void,
): Promise<string[]> {
  const metadata = await metadataFaultsIn(data, stores.dataKey)
  const before = await sizes(stores.vectors)
  const { dataKey } = stores
  const { faults, rows } = await verifyFiles(join(data, 'vectors'), dataKey)
  const after = await sizes(stores.vectors)
  // What is added or removed meanwhile makes a gallery larger at one of these times than its file was between.
  const codes = (gallery: string) => Math.max(before.get(gallery) ?? 0, after.get(gallery) ?? 0)
  return [
    ...metadata,
    ...(await secretsFaults(data)),
    ...faults,
    ...[...rows]
      .filter(([gallery, count]) => codes(gallery) < count)
      .map(([gallery, count]) => `The gallery ${gallery} has ${count} rows and ${codes(gallery)} codes.`),
    ...(await siteFaults(data, dataKey)),
    ...(metadata.length === 0 ? await withoutMetadataFaults(stores, onFaces) : []),
  ]
}

/** How often the journal is read anew while the service writes it. */
const JOURNAL_READS = 3

/** Each file of the metadata that is damaged. The journal comes first: SQLite leaves out what is damaged of it. */
async function metadataFaultsIn(data: string, dataKey: DataKey | undefined): Promise<string[]> {
  const path = join(data, METADATA_FILE)
  const journal = `${path}-wal`
  let damage = journalFault(journal)
  for (let read = 1; damage && read < JOURNAL_READS; read++) {
    await sleep(100)
    damage = journalFault(journal)
  }
  return [
    ...(damage
      ? [`${journal} is damaged: the last changes are lost, or were broken off by a loss of power.`]
      : []),
    ...metadataFaults(path, dataKey && databaseKey(dataKey)).map(fault => `${path}: ${fault}`),
  ]
}

async function withoutMetadataFaults(
  { database, ...stores }: Pick<Stores, 'vectors' | 'pictures'> & Verifying,
  onFaces?: (checked: number) => void,
): Promise<string[]> {
  const opened = typeof database === 'function' ? await database() : database
  const { fault } = await verifyAudit(opened)
  const lacks = await missing({ ...stores, database: opened }, onFaces)
  return fault === undefined ? lacks : [`The audit log was changed: ${fault}.`, ...lacks]
}

/** Secrets that are there have to be readable. */
const secretsFaults = async (data: string): Promise<string[]> =>
  existsSync(join(data, SECRETS_FILE))
    ? readSecrets(data).then(
        () => [],
        (error: Error) => [error.message],
      )
    : []

/** A site's calibration need not be there; what is there has to be whole. */
const siteFaults = (data: string, dataKey: DataKey | undefined): Promise<string[]> =>
  readSite(data, dataKey).then(
    () => [],
    (error: Error) => [error.message],
  )

/** Codes in memory of each gallery. Shards elsewhere add to those of the files here. */
async function sizes(vectors: VectorStore): Promise<Map<string, number>> {
  const galleries = await vectors.galleries()
  return new Map(
    galleries.map(({ gallery, linear, preindex, indexed }) => [gallery, linear + preindex + indexed]),
  )
}

async function missing(stores: Stores, onFaces?: (checked: number) => void): Promise<string[]> {
  const named: string[] = []
  let lacking = 0
  let checked = 0
  for await (const { faces, vectors, pictures } of missingOf(stores)) {
    checked += faces
    onFaces?.(checked)
    const lacks = [
      ...vectors.map(({ gallery, id }) => `Face ${id} has no vector in ${gallery}.`),
      ...pictures.map(({ id, kind }) => `Face ${id} has no ${kind} picture.`),
    ]
    lacking += lacks.length
    named.push(...lacks.slice(0, NAMED - named.length))
  }
  return lacking > named.length ? [...named, `${lacking - named.length} more of these.`] : named
}
