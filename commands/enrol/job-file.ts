/** The job file: one line per finished photo, appended and made durable, read by the next run and by reports. */
import { open, truncate } from 'node:fs/promises'
import { ignoreCode } from '../../core/files/inspect.ts'
import { LineError, linesOf, lineText } from './lines.ts'
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
  /** Resolves when the line is durable. After a failure every call rejects. */
  append(line: JobLine): Promise<void>
  close(): Promise<void>
}

/** Beginning of every header. */
const MARK = '{"mien":"enrol","version":1,'

/**
 * Header of an existing job file, and the byte behind it. Undefined if there is no file, or if a crash left a part of the
 * header. Throws JobFileError for another file.
 */
export async function readHeader(path: string): Promise<{ header: JobHeader; end: number } | undefined> {
  for await (const { text, end, isEnded } of existingLines(path)) {
    if (!isEnded && text.startsWith(MARK.slice(0, text.length))) return undefined
    const header = text.startsWith(MARK) ? (parsed(text) as JobHeader | undefined) : undefined
    if (header && isEnded) return { header, end }
    throw new JobFileError(`${path} is no job file of this version. Remove it, or name another with --job.`)
  }
  return undefined
}

/** Yields the finished photos of a job file. A torn last line is left out. Throws JobFileError for another damaged line. */
export async function* jobLines(path: string): AsyncGenerator<JobLine & { end: number }> {
  for await (const { text, number, end, isEnded } of existingLines(path)) {
    if (number === 1 || !isEnded) continue
    const line = parsed(text) as JobLine | undefined
    if (typeof line?.key !== 'string' || !(line.outcome in OUTCOMES)) throw damaged(path, number)
    yield { ...line, end }
  }
}

const damaged = (path: string, line: number): JobFileError =>
  new JobFileError(`${path}: line ${line} is damaged. Begin anew with --restart.`)

async function* existingLines(path: string) {
  try {
    for await (const line of linesOf(path))
      yield { ...line, text: line.isEnded ? lineText(line) : tornText(line) }
  } catch (error) {
    if (error instanceof LineError) throw damaged(path, error.line)
    ignoreCode('ENOENT')(error)
  }
}

/** A torn line may end within a character. */
const tornText = ({ bytes }: { bytes: Uint8Array }): string => new TextDecoder().decode(bytes)

/** Creates a job file, or continues one: `end` is the byte behind its last whole line. The file is private. */
export async function openJobFile(
  path: string,
  header: JobHeader,
  end: number | undefined,
): Promise<JobFile> {
  if (end !== undefined) await truncate(path, end)
  const file = await open(path, end === undefined ? 'w' : 'a', 0o600)
  await file.chmod(0o600)
  let waiting: string[] = []
  let writing: Promise<void> | undefined

  /** Lines that arrive during a write are written together. */
  const writeWaiting = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await file.appendFile(batch.join(''))
      await file.datasync()
    }
    writing = undefined
  }
  const write = (value: JobHeader | JobLine): Promise<void> => {
    waiting.push(`${JSON.stringify(value)}\n`)
    writing ??= writeWaiting()
    return writing
  }
  if (end === undefined) await write(header)
  return {
    append: write,
    close: async () => {
      try {
        await writing
      } finally {
        await file.close()
      }
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
