/** The audit log as an exported file: a hash chain of JSON lines, to which later exports append. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { Natural, Positive, Sha256 } from '../../../contract/scalars.ts'
import { writeAll } from '../../files/durable.ts'
import { holdsSomething } from '../../files/record.ts'
import type { Database } from '../database.ts'
import { type AuditEntry, CHAIN_START, faultAfter, type Link } from './chain.ts'
import { ENTRIES_PER_QUERY, entryAt, nextEntries, prunedBefore, prunedLinks } from './entries.ts'

const LinkSchema = z.strictObject({ seq: Natural, hash: Sha256 })

/** The first line: format, version, and the link that the first entry follows. */
const HeaderSchema = z.strictObject({
  format: z.literal('mien-audit-log'),
  version: z.literal(1),
  after: LinkSchema,
})

const EntrySchema = z.strictObject({
  seq: Positive,
  time: z.int(),
  actor: z.string(),
  owner: z.string().nullable(),
  action: z.string(),
  subject: z.string(),
  hash: z.string(),
})

/** An audit log file that cannot be used. The message states the reason for the operator. */
export class AuditLogRefused extends Error {
  override readonly name = 'AuditLogRefused'
}

/** Content of an audit log file. */
interface ReadAuditLog {
  /** The link that the first entry follows. */
  after: Link
  /** Link of the newest entry; `after` when there is no entry. */
  head: Link
  entries: number
  /** Bytes of the complete lines. A truncated last line is not counted. */
  bytes: number
}

/** Reads a file and checks its chain. Calls `onEntry` for each entry in order. Throws AuditLogRefused. */
export async function readAuditFile(
  path: string,
  onEntry: (entry: AuditEntry) => void | Promise<void> = () => {},
): Promise<ReadAuditLog> {
  let read: ReadAuditLog | undefined
  let number = 0
  for await (const line of wholeLines(path)) {
    number++
    const bytes = (read?.bytes ?? 0) + Buffer.byteLength(line) + 1
    if (!read) {
      const after = parseLine(HeaderSchema, line, path, number).after
      read = { after, head: after, entries: 0, bytes }
      continue
    }
    const entry = parseLine(EntrySchema, line, path, number)
    const fault = faultAfter(read.head, entry)
    if (fault) throw new AuditLogRefused(`${path}, line ${number}: ${fault}.`)
    await onEntry(entry)
    read = { ...read, head: { seq: entry.seq, hash: entry.hash }, entries: read.entries + 1, bytes }
  }
  if (!read) throw new AuditLogRefused(`${path} is no exported audit log.`)
  return read
}

function parseLine<Schema extends z.ZodType>(schema: Schema, line: string, path: string, number: number) {
  try {
    return schema.parse(JSON.parse(line)) as z.infer<Schema>
  } catch (cause) {
    throw new AuditLogRefused(`${path}, line ${number}: this is no line of an exported audit log.`, { cause })
  }
}

/** The lines that end with a line feed. An interrupted write leaves a last line without one, which is skipped. */
async function* wholeLines(path: string): AsyncGenerator<string> {
  let last: string | undefined
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: 0 })) {
    if (last !== undefined) yield last
    last = line
  }
  if (last !== undefined && (await endsWithLineFeed(path))) yield last
}

async function endsWithLineFeed(path: string) {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
    return bytesRead === 1 && buffer[0] === 0x0a
  } finally {
    await file.close()
  }
}

/** Writes the log to a new file, or appends new entries to an earlier export. Durable when the promise resolves. */
export async function exportAudit(database: Database, path: string): Promise<{ added: number; head: Link }> {
  const before = (await holdsSomething(path)) ? await readAuditFile(path) : undefined
  const after = before?.head ?? (await linkBeforeOldest(database))
  await requireSameLog(database, after, path)
  const file = await open(path, before ? 'r+' : 'w', 0o600)
  let added = 0
  let head = after
  try {
    await file.truncate(before?.bytes ?? 0)
    let at = before?.bytes ?? 0
    const append = async (text: string) => {
      const bytes = Buffer.from(text)
      await writeAll(file, bytes, at)
      at += bytes.length
    }
    if (!before) await append(`${JSON.stringify({ format: 'mien-audit-log', version: 1, after })}\n`)
    for (;;) {
      const entries = await nextEntries(database, head.seq, ENTRIES_PER_QUERY)
      if (entries.length === 0) break
      await append(entries.map(entry => `${JSON.stringify(entry)}\n`).join(''))
      head = { seq: entries.at(-1)!.seq, hash: entries.at(-1)!.hash }
      added += entries.length
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { added, head }
}

async function linkBeforeOldest(database: Database): Promise<Link> {
  const [oldest] = await nextEntries(database, -1, 1)
  return (oldest && (await prunedBefore(database, oldest.seq))) ?? CHAIN_START
}

/** Throws AuditLogRefused for a file of another installation, and when entries after the file's head are missing. */
async function requireSameLog(database: Database, { seq, hash }: Link, path: string) {
  const links = [CHAIN_START, ...(await prunedLinks(database)), await entryAt(database, seq)]
  if (!links.some(link => link?.seq === seq && link.hash === hash))
    throw new AuditLogRefused(
      `${path} ends with entry ${seq}, which is not in this log: it is of another data folder, or was pruned since.`,
    )
  const [next] = await nextEntries(database, seq, 1)
  const fault = next && faultAfter({ seq, hash }, next)
  if (fault) throw new AuditLogRefused(`After ${path}, ${fault}. Begin a new file.`)
}
