/** Downloads pinned files: resumes, retries, and accepts only files with the pinned hash. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PACK_LIMITS } from '../../contract/limits/packs.ts'
import { makeFolder, syncFolder } from '../../core/files/durable.ts'
import { ignoreCode } from '../../core/files/inspect.ts'
import type { PulledFile } from '../../models/file-entry.ts'
import { type Connection, Fatal, sendRequest } from './request.ts'

export interface DownloadSettings extends Connection {
  /** Path of the file. Until it is complete and verified, the path is `<path>.partial`. */
  path: string
  onProgress?: (bytes: number) => void
  /** Pause before the first retry in milliseconds; doubles for each further one. */
  pauseMs?: number
}

export type PinnedFile = Pick<PulledFile, 'url' | 'sha256' | 'bytes'>

/** An attempt that downloaded this many bytes resets the count of failures. */
const PROGRESS_BYTES = 2 ** 16

const PAUSE_MS = 1_000

/**
 * Downloads a file; durable and verified when it resolves. Throws an Error that states the reason for the operator.
 * Partial content stays for the next attempt, unless its hash is wrong.
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
    // The earlier partial content may be of another file.
    if (isContinued) return download(file, settings)
    throw new Error(`${url} is not the file that is pinned: its SHA-256 is another. It was removed.`)
  }
  await rename(partial, path)
  await syncFolder(dirname(path))
}

interface DownloadTask {
  url: string
  /** Size of the whole file in bytes. */
  bytes: number
  partial: string
  onProgress(bytes: number): void
  connection: Connection
}

/** Repeats attempts until the file is complete, or too many in a row made no progress. */
async function fetchAll(task: DownloadTask, pauseMs: number): Promise<void> {
  // The server's ETag of the version in progress: a continuation must be of the same version.
  const version: DownloadVersion = {}
  for (let failures = 0; ; ) {
    const before = await sizeOf(task.partial)
    if (before === task.bytes) return
    if (before > task.bytes) await rm(task.partial)
    try {
      await attempt(task, version)
    } catch (error) {
      if (error instanceof Fatal) throw error
      const received = (await sizeOf(task.partial)) - before
      failures = received >= PROGRESS_BYTES ? 1 : failures + 1
      if (failures >= PACK_LIMITS.downloadAttempts) {
        throw new Error(`${task.url} can't be downloaded: ${messageOf(error)}.`, { cause: error })
      }
      await delay(pauseMs * 2 ** (failures - 1))
    }
  }
}

interface DownloadVersion {
  etag?: string
}

/** Requests the missing bytes; resolves when the file is complete. */
async function attempt(
  { url, bytes, partial, onProgress, connection }: DownloadTask,
  version: DownloadVersion,
): Promise<void> {
  const have = await sizeOf(partial)
  const headers: Record<string, string> = have > 0 ? { range: `bytes=${have}-` } : {}
  if (have > 0 && version.etag !== undefined) headers['if-range'] = version.etag
  const response = await sendRequest(url, headers, connection)
  try {
    const from = await startOf(response, have, bytes, partial)
    const { etag } = response.headers
    if (etag?.startsWith('"')) version.etag = etag
    const announced = response.headers['content-length']
    if (announced !== undefined && from + Number(announced) !== bytes)
      throw new Error(`it would have ${from + Number(announced)} bytes, and ${bytes} are pinned`)
    await append(response, partial, from, bytes, onProgress)
  } finally {
    response.destroy()
  }
  if ((await sizeOf(partial)) < bytes) throw new Error('it broke off')
}

/** The offset in the file at which the response's body begins. */
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
  // The partial file cannot be resumed from this server.
  await rm(partial, { force: true })
  throw new Error('the server continues it wrongly')
}

/** Writes the body into the file at this offset. Throws when the body exceeds the pinned length. */
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
