/** Reads the recordings that the console has uploaded in sequence, and reports the progress. */
import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Camera, type MienClient, MienError } from '../clients/typescript/src/index.ts'
import { environment, retry } from '../contract/environment.ts'
import { CAMERA_LIMITS } from '../contract/limits/cameras.ts'
import type { RecordingReport } from '../contract/model/camera.ts'
import { parseTimestamp } from '../contract/timestamps.ts'
import { type Log, traceOf } from '../core/log.ts'
import type { CameraSettings } from './camera.ts'
import { fileOptions } from './frames/source.ts'
import { isTemporary, retryDelayMs } from './outbox.ts'
import {
  HEAD_BYTES,
  NoVideo,
  type RecordingFile,
  type RecordingProgress,
  watchRecording,
} from './recording.ts'

type Uploaded = Camera & { recording: NonNullable<Camera['recording']> }

/** Begins to read the complete recordings of these cameras, unless one is being read. */
export function openUploads(
  client: MienClient,
  settings: CameraSettings & { detector?: string },
  { watcher, log }: { watcher: string; log: Log },
  signal: AbortSignal,
) {
  let reading: Promise<void> | undefined

  const send = (id: string, recording: RecordingReport) =>
    client.cameras.lease(id, { watcher, recording }, { signal, timeoutMs: CAMERA_LIMITS.reportMs })

  const read = async (camera: Uploaded) => {
    const { id, recording } = camera
    const { size, start, from = 0, before = 0 } = recording
    let known: RecordingProgress = { read: 0, visits: before, from, before }
    const report = (end = {}) => send(id, { start, size, ...known, ...end })
    await report()
    const lost = new AbortController()
    const stop = AbortSignal.any([signal, lost.signal])
    const telling = environment.interval(
      () =>
        void report().catch(error => {
          // Cancelled, or another watcher reads it.
          if (error instanceof MienError && [404, 409].includes(error.status)) lost.abort()
        }),
      CAMERA_LIMITS.reportMs,
    )
    const file = await serveUpload(client, { camera: id, watcher }, size, stop)
    try {
      const startMs = parseTimestamp(start)! / 1_000
      const resume = { from, before, onProgress: (progress: RecordingProgress) => (known = progress) }
      const given = { ...settings, file, start: startMs, camera, threads: 1, resume }
      const end = await watchRecording(client, given, log, stop).then(
        isRead => (isRead ? 'read' : undefined),
        error => {
          log('recording failed', { camera: id, ...traceOf(error) })
          // The file is read again when the service is back.
          if (file.isAway()) return undefined
          return error instanceof NoVideo ? 'no video' : 'failed'
        },
      )
      telling.cancel()
      if (end) await retry(() => report({ end }), { isTemporary, delayMs: retryDelayMs, signal: stop })
    } finally {
      telling.cancel()
      file.close()
    }
  }

  /** Reads recordings that are neither cancelled nor held by another watcher. While the service is unavailable, the next list decides. */
  const readAll = async (complete: readonly Uploaded[]) => {
    for (const camera of complete) await read(camera).catch(() => {})
  }

  return {
    follow(cameras: readonly Camera[]) {
      if (reading) return
      const complete = cameras.filter(
        (camera): camera is Uploaded =>
          (camera.detector || undefined) === settings.detector &&
          camera.recording !== undefined &&
          camera.recording.received === camera.recording.size &&
          camera.recording.end === undefined,
      )
      reading = readAll(complete).finally(() => (reading = undefined))
    },
    close: async (): Promise<void> => reading,
  }
}

/** The address of the recording. The variable `http_proxy` leads ffmpeg to this process, with a password that no other user can see. */
const ADDRESS = 'http://recording.invalid/'

/** Serves a recording to ffmpeg in memory: nothing of it is written to this machine's disk. */
async function serveUpload(
  client: MienClient,
  { camera, watcher }: { camera: string; watcher: string },
  size: number,
  signal: AbortSignal,
) {
  const password = environment.id()
  const authorization = `Basic ${Buffer.from(`mien:${password}`).toString('base64')}`
  let isAway = false
  let last: { at: number; bytes: Promise<Uint8Array> } | undefined
  const fetchPiece = async (at: number): Promise<Uint8Array> => {
    const get = () => client.cameras.getRecording(camera, { watcher, at, signal })
    const piece = await retry(get, {
      isTemporary(error, failures) {
        isAway = true
        return isTemporary(error, failures)
      },
      delayMs: retryDelayMs,
      signal,
    })
    isAway = false
    return new Uint8Array(await piece.arrayBuffer())
  }
  const pieceAt = (at: number): Promise<Uint8Array> => {
    if (last?.at !== at) last = { at, bytes: fetchPiece(at) }
    return last.bytes
  }
  async function* bytesFrom(from: number) {
    for (let at = from; at < size; ) {
      const offset = at % CAMERA_LIMITS.recordingPieceBytes
      const piece = await pieceAt(at - offset)
      yield piece.subarray(offset)
      at += piece.length - offset
    }
  }
  const server = createServer((request, response) => {
    if (request.headers['proxy-authorization'] !== authorization)
      return void response.writeHead(407, { 'proxy-authenticate': 'Basic realm="mien"' }).end()
    const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    if (from >= size) return void response.writeHead(416).end()
    response.writeHead(206, {
      'accept-ranges': 'bytes',
      'content-length': size - from,
      'content-range': `bytes ${from}-${size - 1}/${size}`,
    })
    // By default it would read 16 pieces ahead.
    pipeline(Readable.from(bytesFrom(from), { highWaterMark: 1 }), response).catch(() => {})
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const file: RecordingFile = {
    name: 'The recording',
    size,
    head: async () => hash('sha256', (await pieceAt(0)).subarray(0, HEAD_BYTES)),
    input: {
      options: fileOptions(ADDRESS, 'http,tcp'),
      env: { http_proxy: `http://mien:${password}@127.0.0.1:${port}`, no_proxy: '' },
    },
  }
  return {
    ...file,
    /** The last request for a piece has failed. */
    isAway: () => isAway,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
