/** Reads the audit log for a restore: from an exported file, or from the metadata of the lost service. */
import { existsSync, readSync } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type DataKey, databaseKey } from '../encryption/encrypt.ts'
import { databaseDescriptor } from '../files/inspect.ts'
import { snapshot } from '../files/sqlite.ts'
import { type AuditEntry, CHAIN_START, type Link } from '../metadata/audit-log/chain.ts'
import { auditEntries } from '../metadata/audit-log/entries.ts'
import { AuditLogRefused, readAuditFile } from '../metadata/audit-log/file.ts'
import { verifyAudit } from '../metadata/audit-log/verification.ts'
import { closeDatabase, METADATA_FILE, openDatabase } from '../metadata/database.ts'

/** The link before the first entry of a log, and the link of its last entry. */
interface DeletionLog {
  after: Link
  head: Link
}

/** Location of an audit log. */
export interface LogSource {
  /** A file from `mien audit export`, a `metadata.db`, or a data folder that contains one. */
  path: string
  /** Data key of the lost data folder, if it was encrypted. */
  dataKey: DataKey | undefined
  /** Temporary folder. It is removed at the end. */
  scratch: string
  /** `seq` of the last entry of the newest backup, which the log must reach. */
  atLeast?: number
}

/** Verifies the chain of the whole log and calls `onEntry` for each entry in order. Throws AuditLogRefused. */
export async function readDeletionLog(
  { path, dataKey, scratch }: LogSource,
  onEntry: (entry: AuditEntry) => void | Promise<void>,
): Promise<DeletionLog> {
  if (!existsSync(path)) throw new AuditLogRefused(`There is no ${path}.`)
  const file = (await stat(path)).isDirectory() ? join(path, METADATA_FILE) : path
  if (isExport(file)) return readAuditFile(file, onEntry)
  await rm(scratch, { recursive: true, force: true })
  await mkdir(scratch, { mode: 0o700 })
  try {
    copyOf(file, join(scratch, METADATA_FILE), dataKey)
    return await readDatabase(scratch, dataKey, onEntry)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Whether a file is an exported log: lines of JSON that start with `{`. */
function isExport(path: string) {
  const start = Buffer.alloc(1)
  return readSync(databaseDescriptor(path), start, 0, 1, 0) === 1 && start[0] === '{'.charCodeAt(0)
}

/** Copies the metadata of the lost service, because opening the original would change it. */
function copyOf(file: string, copy: string, dataKey: DataKey | undefined) {
  try {
    snapshot(file, copy, dataKey && databaseKey(dataKey))
  } catch (cause) {
    throw new AuditLogRefused(`${file} is neither an exported audit log nor metadata that can be read.`, {
      cause,
    })
  }
}

async function readDatabase(
  folder: string,
  dataKey: DataKey | undefined,
  onEntry: (entry: AuditEntry) => void | Promise<void>,
): Promise<DeletionLog> {
  const database = await openDatabase(folder, { dataKey })
  try {
    const { head, fault } = await verifyAudit(database)
    if (fault) throw new AuditLogRefused(`The log was changed: ${fault}.`)
    let after: Link | undefined
    for await (const entry of auditEntries(database)) {
      after ??= { seq: entry.seq - 1, hash: entry.seq === 1 ? CHAIN_START.hash : '' }
      await onEntry(entry)
    }
    return { after: after ?? CHAIN_START, head }
  } finally {
    await closeDatabase(database)
  }
}
