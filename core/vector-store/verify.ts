/** Verifies the checksums of a store's files, also while a service uses them. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DataKey } from '../encryption/encrypt.ts'
import type { FileForm } from '../encryption/file-form.ts'
import { faultsOf } from '../files/sqlite.ts'
import { servedShards } from './generation.ts'
import { indexFileName, indexForm, readIndex } from './index/index-file.ts'
import { type GalleryRecord, isUnbuiltIndex, openRowsReadOnly, type RowReader } from './rows/row-reader.ts'
import { rowForm, vectorOf } from './rows/row-record.ts'
import { isDamage } from './rows/row-schema.ts'
import { RowTally } from './rows/row-slots.ts'
import { INDEXES, ROWS } from './shard/shard-open.ts'

/** Result of a verification. */
interface Verified {
  /** Faults, as messages for the operator. They never contain a vector. */
  faults: string[]
  /** Number of rows by gallery name. */
  rows: Map<string, number>
}

/** Verifies every checksum of every shard in this folder, one shard at a time. */
export async function verifyFiles(folder: string, dataKey?: DataKey): Promise<Verified> {
  const verified: Verified = { faults: [], rows: new Map() }
  for (const shard of await servedShards(folder)) {
    if (existsSync(join(folder, shard, ROWS))) await verifyShard(join(folder, shard), verified, dataKey)
  }
  return verified
}

async function verifyShard(folder: string, { faults, rows }: Verified, dataKey?: DataKey) {
  const path = join(folder, ROWS)
  faults.push(...faultsOf(path).map(fault => `${path}: ${fault}`))
  for (const name of readdirSync(folder, { recursive: true })) {
    if (String(name).includes('.damaged'))
      faults.push(`${join(folder, String(name))} was set aside as damaged.`)
  }
  try {
    const file = openRowsReadOnly(path, rowForm(dataKey))
    try {
      const { whole, damaged } = file.galleries()
      if (damaged > 0) faults.push(`${path}: the records of ${damaged} galleries are damaged.`)
      faults.push(...verifyRows(file, whole).map(fault => `${path}: ${fault}`))
      faults.push(...(await verifyIndexes(join(folder, INDEXES), file, indexForm(dataKey))))
      for (const { name, count } of whole) rows.set(name, (rows.get(name) ?? 0) + count)
    } finally {
      file.close()
    }
  } catch (error) {
    if (!isDamage(error)) throw error
    faults.push(`${path} can't be read to its end.`)
  }
}

/** Compares each row with its checksum, and the rows of each gallery with the gallery's record. */
function verifyRows(file: RowReader, galleries: readonly GalleryRecord[]): string[] {
  const found = new Map(
    galleries.map(record => [record.number, { record, tally: new RowTally(), damaged: 0 }]),
  )
  let unowned = 0
  for (const row of file.rows()) {
    const gallery = found.get(row.gallery)
    if (!gallery) {
      unowned++
      continue
    }
    gallery.tally.add(row)
    if (!vectorOf(gallery.record, row)) gallery.damaged++
  }
  const said = file.placeChecks()
  const faults: string[] = []
  for (const { record, tally, damaged } of found.values()) {
    const { name, number } = record
    if (damaged > 0) faults.push(`${damaged} vectors of the gallery ${name} are damaged.`)
    if (tally.places !== (said.get(number) ?? 0))
      faults.push(`vectors of the gallery ${name} are not where they are said to be.`)
    if (tally.count !== record.count || tally.sum !== record.sum)
      faults.push(
        `the gallery ${name} has ${tally.count} vectors where there should be ${record.count}, or others.`,
      )
  }
  if (unowned > 0) faults.push(`${unowned} vectors belong to no gallery.`)
  return faults
}

async function verifyIndexes(folder: string, file: RowReader, form: FileForm): Promise<string[]> {
  const faults: string[] = []
  for (const record of file.indexes()) {
    if (isUnbuiltIndex(record)) continue
    const path = join(folder, indexFileName(record))
    if (!(await readIndex(path, record, record.crc, form))) faults.push(`${path} is missing or damaged.`)
  }
  return faults
}
