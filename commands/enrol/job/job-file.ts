/** The job file: one line per finished photo, appended and made durable, read by the next run and by reports. */
import { type FileHandle, open, truncate } from 'node:fs/promises'
import { ignoreCode } from '../../../core/files/inspect.ts'
import { type Line, LineError, linesOf, lineText } from '../list/lines.ts'
import { OUTCOMES, type OutcomeName } from './outcome.ts'

/** First line of the file. */
export interface JobHeader {
  mien: 'enrol'
  version: 1
  /** Path of the list, relative to the folder of the job file. */
  list: string
  /** Origin of the service. */
  service: string
  /** Options that decide how every photo is enrolled. */
  options: Readonly<Record<string, string>>
}

/** An enrolled face with another meta that is similar. */
export interface SimilarFace {
  face: number
  meta: string
  /** 0..1 */
  confidence: number
}

/** A finished photo. Holds no pixels and no embeddings. */
export interface JobLine {
  /** Name of the photo: see `Row`. */
  name: string
  /** See `PhotoNames`. */
  key: string
  hash: string
  outcome: OutcomeName
  meta: string
  /** Line of the list. */
  line?: number
  /** Ids of the enrolled faces. */
  faces?: number[]
  /** Why the photo is not enrolled. */
  reason?: string
  similar?: SimilarFace
}

/** The file is not a job file, or a line inside it is damaged. */
export class JobFileError extends Error {
  override readonly name = 'JobFileError'
}

export interface JobFile {
  /** Resolves when the line is in the file. It is durable after SYNC_LINES more lines, after SYNC_MS, or after `close`. */
  append(line: JobLine): Promise<void>
  close(): Promise<void>
}

/** Lines and milliseconds between two syncs. */
const SYNC_LINES = 64
const SYNC_MS = 1_000

/** Beginning of every header. */
const MARK = '{"mien":"enrol","version":1,'

/**
 * Header of an existing job file, and the byte behind it. Undefined if there is no file, or if a crash left a part of the
 * header. Throws JobFileError for another file.
 */
export async function readHeader(path: string): Promise<{ header: JobHeader; end: number } | undefined> {
  for await (const first of existingLines(path)) {
    const text = new TextDecoder().decode(first.bytes)
    if (!first.isEnded && text.startsWith(MARK.slice(0, text.length))) return undefined
    const header = text.startsWith(MARK) ? (parsed(text) as JobHeader | undefined) : undefined
    if (header && first.isEnded) return { header, end: first.end }
    throw new JobFileError(`${path} is no job file of this version. Remove it, or name another with --job.`)
  }
  return undefined
}

/** Yields the finished photos of a job file. A torn last line is left out. Throws JobFileError for another damaged line. */
export async function* jobLines(path: string): AsyncGenerator<JobLine & { end: number }> {
  for await (const each of existingLines(path)) {
    if (each.number === 1 || !each.isEnded) continue
    const line = parsed(textOf(path, each)) as JobLine | undefined
    if (typeof line?.key !== 'string' || !(line.outcome in OUTCOMES)) throw damaged(path, each.number)
    yield { ...line, end: each.end }
  }
}

const damaged = (path: string, line: number): JobFileError =>
  new JobFileError(`${path}: line ${line} is damaged. Begin anew with --restart.`)

function textOf(path: string, line: Line): string {
  try {
    return lineText(line)
  } catch (error) {
    throw error instanceof LineError ? damaged(path, line.number) : error
  }
}

/** Creates a job file, or continues one: `end` is the byte behind its last whole line. The file is private. */
export async function openJobFile(
  path: string,
  header: JobHeader,
  end: number | undefined,
): Promise<JobFile> {
  if (end !== undefined) await truncate(path, end)
  const file = await open(path, end === undefined ? 'w' : 'a', 0o600)
  await file.chmod(0o600)
  const writer = batchWriter(file)
  if (end === undefined) await writer.write(`${JSON.stringify(header)}\n`)
  return {
    append: line => writer.write(`${JSON.stringify(line)}\n`),
    async close() {
      try {
        await writer.settled()
        await file.sync()
      } finally {
        await file.close()
      }
    },
  }
}

/** Texts that arrive during a write are written together. After a failure every write rejects. */
function batchWriter(file: FileHandle) {
  let waiting: string[] = []
  let writing: Promise<void> | undefined
  let unsynced = 0
  let syncedAt = Date.now()

  const drain = async () => {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await file.appendFile(batch.join(''))
      unsynced += batch.length
      if (unsynced < SYNC_LINES && Date.now() - syncedAt < SYNC_MS) continue
      await file.datasync()
      unsynced = 0
      syncedAt = Date.now()
    }
    writing = undefined
  }
  return {
    write(text: string): Promise<void> {
      waiting.push(text)
      writing ??= drain()
      return writing
    },
    settled: () => writing ?? Promise.resolve(),
  }
}

async function* existingLines(path: string): ReturnType<typeof linesOf> {
  try {
    yield* linesOf(path)
  } catch (error) {
    if (error instanceof LineError) throw damaged(path, error.line)
    ignoreCode('ENOENT')(error)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
