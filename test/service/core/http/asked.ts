/** The core application behind signed requests, with the stores of a test. */

import { rpcPath, streamPath } from '#contract/operations/messages.ts'
import { decodeFrame, encodeFrame } from '#contract/rpc/frame.ts'
import { signedHeaders, signingKey } from '#contract/rpc/signature.ts'
import { type AppOptions, createApp } from '#core/http/app.ts'
import { guardHandlers, guardStreams, guardsOf } from '#core/http/rpc/guards.ts'
import { handlers, streamHandlers } from '#core/http/rpc/handlers.ts'
import { Nonces } from '#core/http/rpc/nonces.ts'
import type { Replicas } from '#core/metadata/connection/replicas.ts'
import type { HandlerSources } from '#core/operations/handlers.ts'
import { openSettings } from '#core/operations/service/settings.ts'
import type { Services } from '#core/operations/services.ts'
import { DLIB_CHIP } from '#models/manifest.ts'
import { edgeHeaders } from '#test/unit/core/http/rpc/edge-headers.ts'
import { quietMetrics } from '#test/unit/core/metrics/quiet-metrics.ts'
import type { Ask, Read } from './every-operation.ts'

const EMBEDDER = 'colours-3'

export interface Asked {
  /** Sends a body in a signed POST. `headers` replace headers of the signature. */
  send(path: string, body: Uint8Array<ArrayBuffer>, headers?: Record<string, string>): Promise<Response>
  /** Sends a frame in a POST that is signed with this secret. */
  post(path: string, header: unknown, blobs?: Uint8Array[], secret?: string): Promise<Response>
  fetch(path: string): Promise<Response>
  /** Calls an operation; throws unless the status is 200. */
  ask: Ask
  read: Read
  /** The paths that were answered with 200. */
  answered: Set<string>
}

interface AskedOptions extends Partial<Pick<AppOptions, 'refused' | 'log' | 'isReady'>> {
  replicas?: Replicas
  /** Where photos come from. */
  sources?: Partial<HandlerSources>
}

const SECRET = 'a secret that edge and core share'

export async function openRoutes(
  services: Services,
  { replicas, sources, ...options }: AskedOptions = {},
): Promise<Asked> {
  const current = await signingKey(SECRET)
  const guards = guardsOf(services, replicas)
  const operations = guardHandlers(
    handlers(services, {
      fetchPhoto: async () => Uint8Array.of(1, 2, 3),
      analyze: async () => ({ orientation: 1, faces: [], limited: false, selected: [] }),
      chip: DLIB_CHIP,
      facts: () => ({
        version: '1.2.3',
        pack: 'standard',
        embedder: EMBEDDER,
        started: Date.UTC(2026, 0, 1),
        hasBackupPlace: true,
        hasWatcher: true,
        durations: async () => [],
      }),
      settings: await openSettings(services.database, { options: services.options, origins: {} }),
      ...sources,
    }),
    guards,
  )
  const app = createApp({
    services,
    handlers: operations,
    streamHandlers: guardStreams(streamHandlers(services), guards),
    signed: { keys: () => [current], nonces: new Nonces(0) },
    chips: EMBEDDER,
    operatorAccess: { host: '127.0.0.1', operatorToken: undefined },
    metrics: quietMetrics(),
    isReady: async () => true,
    log: () => {},
    ...options,
  })
  const answered = new Set<string>()

  const send = async (
    path: string,
    body: Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
    secret = SECRET,
  ) => {
    const signed = await signedHeaders(
      await signingKey(secret),
      { method: 'POST', path, body },
      services.now(),
    )
    const length = { 'content-length': String(body.length) }
    const all = { ...signed, ...edgeHeaders(EMBEDDER), ...length, ...headers }
    const response = await app.request(path, { method: 'POST', headers: all, body })
    if (response.status === 200) answered.add(path)
    return response
  }
  const post: Asked['post'] = (path, header, blobs, secret) =>
    send(path, encodeFrame(header, blobs), {}, secret)

  const successful = async (path: string, header: unknown, blobs?: Uint8Array[]) => {
    const response = await post(path, header, blobs)
    const body = new Uint8Array(await response.arrayBuffer())
    if (response.status !== 200) throw new Error(`${path} is answered with ${response.status}`)
    return body
  }

  return {
    send,
    post,
    fetch: async path => app.request(path),
    ask: async (name, request, blobs) =>
      decodeFrame(await successful(rpcPath(name), request, blobs)).header as never,
    read: async (stream, request) =>
      stream in ENDLESS
        ? firstLines(await post(streamPath(stream), request), ENDLESS[stream]!)
        : void (await successful(streamPath(stream), request)),
    answered,
  }
}

/** Lines that are read of streams that do not end by themselves. Of events: the position and an event. */
export const ENDLESS: Record<string, number> = { 'events.follow': 2, 'cameras.viewers': 2, 'camera.live': 1 }

async function firstLines({ status, body }: Response, wanted: number) {
  if (status !== 200) throw new Error(`The stream is answered with ${status}`)
  let lines = 0
  for await (const part of body!.pipeThrough(new TextDecoderStream())) {
    lines += part.split('\n').length - 1
    if (lines >= wanted) break
  }
}
