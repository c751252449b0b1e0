/** Downloads pinned files: resumes, retries, and accepts only files with the pinned hash. */
import { open, rename, rm, stat } from 'node:fs/promises'
import { type AgentOptions, Agent as HttpAgent, type IncomingMessage, request as overHttp } from 'node:http'
import { Agent as HttpsAgent, request as overHttps } from 'node:https'
import { dirname } from 'node:path'
import { sleep } from '../../contract/environment.ts'
import { PACK_LIMITS } from '../../contract/limits/packs.ts'
import type { PulledFile } from '../../models/file-entry.ts'
import { makeFolder, syncFolder, writeAll } from '../files/durable.ts'
import { ignoreCode, sha256Of } from '../files/inspect.ts'

export interface DownloadSettings extends Connection {
  /** Path of the file. Until it is complete and verified, the path is `<path>.partial`. */
  path: string
  onProgress?: (bytes: number) => void
  /** Pause before the first retry in milliseconds; doubles for each further one. */
  pauseMs?: number
}

type PinnedFile = Pick<PulledFile, 'url' | 'sha256' | 'bytes'>

/** An attempt that downloaded this many bytes resets the count of failures. */
const PROGRESS_BYTES = 2 ** 16

const RETRY_PAUSE_MS = 1_000

/**
 * Downloads a file; durable and verified when it resolves. Throws an Error that states the reason for the operator.
 * Partial content stays for the next attempt, unless its hash is wrong.
 */
export async function download(file: PinnedFile, settings: DownloadSettings): Promise<void> {
  const { url, sha256 } = file
  const { path } = settings
  await makeFolder(dirname(path))
  const partial = `${path}.partial`
  const isContinued = (await sizeOf(partial)) > 0
  await fetchAll(file, partial, settings)
  if ((await sha256Of(partial)) !== sha256) {
    await rm(partial, { force: true })
    // The earlier partial content may be of another file.
    if (isContinued) return download(file, settings)
    throw new Error(`${url} is not the pinned file: its SHA-256 differs. It was removed.`)
  }
  await rename(partial, path)
  await syncFolder(dirname(path))
}

/** Repeats attempts until the file is complete, or too many in a row made no progress. */
async function fetchAll(file: PinnedFile, partial: string, settings: DownloadSettings) {
  const { pauseMs = RETRY_PAUSE_MS } = settings
  const version: DownloadVersion = {}
  for (let failures = 0; ; ) {
    const before = await sizeOf(partial)
    if (before === file.bytes) return
    if (before > file.bytes) await rm(partial)
    try {
      await attempt(file, partial, settings, version)
    } catch (error) {
      if (error instanceof Fatal) throw error
      const received = (await sizeOf(partial)) - before
      failures = received >= PROGRESS_BYTES ? 1 : failures + 1
      if (failures >= PACK_LIMITS.downloadAttempts) {
        throw new Error(`${file.url} can't be downloaded: ${messageOf(error)}.`, { cause: error })
      }
      await sleep(pauseMs * 2 ** (failures - 1))
    }
  }
}

/** The server's ETag of the version in progress: a continuation must be of the same version. */
interface DownloadVersion {
  etag?: string
}

/** Requests the missing bytes; resolves when the file is complete. */
async function attempt(
  { url, bytes }: PinnedFile,
  partial: string,
  settings: DownloadSettings,
  version: DownloadVersion,
) {
  const have = await sizeOf(partial)
  const headers: Record<string, string> = have > 0 ? { range: `bytes=${have}-` } : {}
  if (have > 0 && version.etag !== undefined) headers['if-range'] = version.etag
  const response = await sendRequest(url, headers, settings)
  try {
    const from = await startOf(response, have, bytes, partial)
    const { etag } = response.headers
    if (etag?.startsWith('"')) version.etag = etag
    const announced = response.headers['content-length']
    if (announced !== undefined && from + Number(announced) !== bytes)
      throw new Error(`it would have ${from + Number(announced)} bytes, and ${bytes} are pinned`)
    await append(response, partial, from, bytes, settings.onProgress)
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
) {
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
  onProgress: DownloadSettings['onProgress'],
) {
  const file = await open(partial, from === 0 ? 'w' : 'r+', 0o600)
  try {
    let at = from
    for await (const chunk of body) {
      if (at + chunk.length > bytes) {
        await file.truncate(0)
        throw new Error('the server sends more than is pinned')
      }
      await writeAll(file, chunk, at)
      at += chunk.length
      onProgress?.(at)
    }
  } finally {
    await file.sync().finally(() => file.close())
  }
}

const sizeOf = async (path: string) => (await stat(path).catch(ignoreCode('ENOENT')))?.size ?? 0

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

interface Connection {
  /** Source of HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in upper or lower case. */
  env?: NodeJS.ProcessEnv
  /** Idle timeout in milliseconds. */
  silenceMs?: number
}

/** A permanent error: another attempt would fail as well. */
class Fatal extends Error {
  override readonly name = 'Fatal'
}

/** Status codes of transient errors. */
const TRANSIENT_STATUS = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * The response's head: 200, or 206 or 416 for a range request. Throws Fatal for permanent errors, and an Error for
 * transient ones.
 */
async function sendRequest(
  address: string,
  headers: Readonly<Record<string, string>>,
  connection: Connection,
): Promise<IncomingMessage> {
  let url = new URL(address)
  for (let redirections = 0; ; redirections++) {
    const response = await respond(url, headers, connection)
    const { statusCode = 0, headers: answered } = response
    if (statusCode === 200 || ('range' in headers && (statusCode === 206 || statusCode === 416))) {
      const { 'content-encoding': encoding = 'identity' } = answered
      if (encoding === 'identity') return response
    }
    response.destroy()
    if (TRANSIENT_STATUS.has(statusCode)) throw new Error(`the server answers ${statusCode}`)
    if (statusCode < 300 || statusCode >= 400 || answered.location === undefined)
      throw new Fatal(`${address} can't be downloaded: the server answers ${statusCode}.`)
    url = redirected(url, answered.location, address)
    if (redirections >= PACK_LIMITS.downloadRedirects) throw new Fatal(`${address} is redirected too often.`)
  }
}

function redirected(from: URL, location: string, address: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined
  const isWeb = to?.protocol === 'https:' || (to?.protocol === 'http:' && from.protocol === 'http:')
  if (!to || !isWeb) throw new Fatal(`${address} is redirected to where nothing is downloaded from.`)
  return to
}

function respond(
  url: URL,
  headers: Readonly<Record<string, string>>,
  { env = process.env, silenceMs = PACK_LIMITS.downloadSilenceMs }: Connection,
): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:'
  // Node's own support for proxy variables, new in Node 24.
  const options: AgentOptions = { proxyEnv: env, timeout: silenceMs }
  const agent = secure ? new HttpsAgent(options) : new HttpAgent(options)
  return new Promise((resolve, reject) => {
    const request = (secure ? overHttps : overHttp)(url, {
      agent,
      headers: { 'user-agent': 'mien', 'accept-encoding': 'identity', ...headers },
    })
    // The timeout also applies while the body arrives.
    request.setTimeout(silenceMs, () => request.destroy(new Error('the server is silent')))
    request.once('error', reject)
    request.once('response', response => {
      response.once('close', () => agent.destroy())
      resolve(response)
    })
    request.end()
  })
}
