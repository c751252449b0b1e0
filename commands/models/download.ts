/** Downloads of pinned files: continued where they broke off, tried again, and taken only when they are what was pinned. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { LIMITS } from '../../core/contract/limits.ts'
import { makeFolder, syncFolder } from '../../core/files/durable.ts'
import { ignoreCode } from '../../core/files/expected-errors.ts'
import type { PulledFile } from '../../models/file-entry.ts'
import { ask, type Connection, Fatal } from './request.ts'

export interface DownloadSettings extends Connection {
  /** Where the file will be; until it is whole and verified, `<path>.partial`. */
  path: string
  onProgress?: (bytes: number) => void
  /** Milliseconds before the first repetition; each waits twice as long as the one before. */
  pauseMs?: number
}

export type PinnedFile = Pick<PulledFile, 'url' | 'sha256' | 'bytes'>

/** An attempt that brought this much is progress: those before it are forgotten. */
const PROGRESS_BYTES = 2 ** 16

const PAUSE_MS = 1_000

/**
 * Resolves when the file is at its path, on the disk and verified. Throws an Error that says for the operator why it can't
 * be had; what was downloaded of it stays for the next time, unless it was something else.
 */
export async function download(file: PinnedFile, settings: DownloadSettings): Promise<void> {
  const { url, sha256, bytes } = file
  const { path, pauseMs = PAUSE_MS, onProgress = () => {}, ...connection } = settings
  await makeFolder(dirname(path))
  const partial = `${path}.partial`
  const isContinued = (await sizeOf(partial)) > 0
  await fetchAll({ url, bytes, partial, onProgress, connection }, pauseMs)
  if ((await sha256Of(partial)) !== sha256) {
    await rm(partial, { force: true })
    // What lay there may have been of another file.
    if (isContinued) return download(file, settings)
    throw new Error(`${url} is not the file that is pinned: its SHA-256 is another. It was removed.`)
  }
  await rename(partial, path)
  await syncFolder(dirname(path))
}

interface Fetched {
  url: string
  /** Bytes of the whole file. */
  bytes: number
  partial: string
  onProgress(bytes: number): void
  connection: Connection
}

/** Attempts until all bytes are there, or too many in a row brought nothing. */
async function fetchAll(fetched: Fetched, pauseMs: number): Promise<void> {
  // The server's name for the version that was begun: a continuation must be of the same.
  const begun: Begun = {}
  for (let failures = 0; ; ) {
    const before = await sizeOf(fetched.partial)
    if (before === fetched.bytes) return
    if (before > fetched.bytes) await rm(fetched.partial)
    try {
      await attempt(fetched, begun)
    } catch (error) {
      if (error instanceof Fatal) throw error
      const brought = (await sizeOf(fetched.partial)) - before
      failures = brought >= PROGRESS_BYTES ? 1 : failures + 1
      if (failures >= LIMITS.downloadAttempts) {
        throw new Error(`${fetched.url} can't be downloaded: ${messageOf(error)}.`, { cause: error })
      }
      await delay(pauseMs * 2 ** (failures - 1))
    }
  }
}

interface Begun {
  etag?: string
}

/** One request, for what is missing; resolves when the server has sent all that it had to. */
async function attempt(
  { url, bytes, partial, onProgress, connection }: Fetched,
  begun: Begun,
): Promise<void> {
  const have = await sizeOf(partial)
  const headers: Record<string, string> = have > 0 ? { range: `bytes=${have}-` } : {}
  if (have > 0 && begun.etag !== undefined) headers['if-range'] = begun.etag
  const response = await ask(url, headers, connection)
  try {
    const from = await startOf(response, have, bytes, partial)
    const { etag } = response.headers
    if (etag?.startsWith('"')) begun.etag = etag
    const announced = response.headers['content-length']
    if (announced !== undefined && from + Number(announced) !== bytes)
      throw new Error(`it would have ${from + Number(announced)} bytes, and ${bytes} are pinned`)
    await append(response, partial, from, bytes, onProgress)
  } finally {
    response.destroy()
  }
  if ((await sizeOf(partial)) < bytes) throw new Error('it broke off')
}

/** The byte of the file that the answer's body begins with. */
async function startOf(
  { statusCode, headers }: IncomingMessage,
  have: number,
  bytes: number,
  partial: string,
): Promise<number> {
  if (statusCode === 200) return 0
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? []
  const isWanted =
    Number(first) === have && Number(last) === bytes - 1 && (total === '*' || Number(total) === bytes)
  if (statusCode === 206 && isWanted) return have
  // Nothing that lies here can be continued with this server.
  await rm(partial, { force: true })
  throw new Error('the server continues it wrongly')
}

/** Writes the body into the file from this byte on; what is beyond the pinned length is not. */
async function append(
  body: AsyncIterable<Buffer>,
  partial: string,
  from: number,
  bytes: number,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const file = await open(partial, from === 0 ? 'w' : 'r+', 0o600)
  try {
    let at = from
    for await (const chunk of body) {
      if (at + chunk.length > bytes) {
        await file.truncate(0)
        throw new Error('the server sends more than is pinned')
      }
      await file.write(chunk, 0, chunk.length, at)
      at += chunk.length
      onProgress(at)
    }
  } finally {
    await file.sync().finally(() => file.close())
  }
}

const sizeOf = async (path: string): Promise<number> =>
  (await stat(path).catch(ignoreCode('ENOENT')))?.size ?? 0

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
