/** The core application behind signed requests, with the stores of a test. */

import { decodeFrame, encodeFrame } from '#contract/rpc/frame.ts'
import { rpcPath, streamPath } from '#contract/rpc/operations.ts'
import { signedHeaders, signingKey } from '#contract/rpc/signature.ts'
import { createApp } from '#core/http/app.ts'
import { guarded } from '#core/http/rpc/guards.ts'
import { handlers, streamHandlers } from '#core/http/rpc/handlers.ts'
import { Nonces } from '#core/http/rpc/nonces.ts'
import type { Log } from '#core/log.ts'
import type { Replicas } from '#core/metadata/connection/replicas.ts'
import type { Services } from '#core/operations/services.ts'
import type { AuthenticationPoint } from '#core/operations/upkeep/audit-log.ts'
import { DLIB_CHIP } from '#models/manifest.ts'
import { edgeHeaders } from '#test/unit/core/http/rpc/edge-headers.ts'
import { quietMetrics } from '#test/unit/core/metrics/quiet-metrics.ts'
import type { Ask, Read } from './every-operation.ts'
import { FACTS } from './facts.ts'

const EMBEDDER = 'colours-3'

export interface Asked {
  /** Sends a signed POST. */
  post(path: string, header: unknown, blobs?: Uint8Array[], secret?: string): Promise<Response>
  fetch(path: string): Promise<Response>
  /** Calls an operation; throws unless the status is 200. */
  ask: Ask
  read: Read
  /** The paths that were answered with 200. */
  answered: Set<string>
}

export async function asked(
  services: Services,
  refused?: (door: AuthenticationPoint) => void,
  log: Log = () => {},
  replicas?: Replicas,
): Promise<Asked> {
  const key = await signingKey('a secret that edge and core share')
  const operations = guarded(
    handlers(services, {
      fetchPhoto: async () => Uint8Array.of(1, 2, 3),
      analyzer: {
        analyze: async () => ({ orientation: 1, faces: [], limited: false, selected: [] }),
        close: async () => {},
      },
      chip: DLIB_CHIP,
      facts: FACTS,
      visionFile: async () => Uint8Array.of(1),
    }),
    { ...services, replicas },
  )
  const app = createApp({
    services,
    handlers: operations,
    streamHandlers: streamHandlers(services),
    signed: { keys: () => [key], nonces: new Nonces(0) },
    embedder: EMBEDDER,
    operatorAccess: { host: '127.0.0.1', operatorToken: undefined },
    metrics: quietMetrics(),
    isReady: async () => true,
    refused,
    log,
  })
  const answered = new Set<string>()

  const post: Asked['post'] = async (path, header, blobs = [], secret) => {
    const body = encodeFrame(header, blobs)
    const signing = secret === undefined ? key : await signingKey(secret)
    const signed = await signedHeaders(signing, { method: 'POST', path, body }, services.now())
    const response = await app.request(path, {
      method: 'POST',
      headers: {
        ...signed,
        ...edgeHeaders(EMBEDDER),
        'content-length': String(body.length),
      },
      body,
    })
    if (response.status === 200) answered.add(path)
    return response
  }

  const successful = async (path: string, header: unknown, blobs?: Uint8Array[]): Promise<Uint8Array> => {
    const response = await post(path, header, blobs)
    const body = new Uint8Array(await response.arrayBuffer())
    if (response.status !== 200) throw new Error(`${path} is answered with ${response.status}`)
    return body
  }

  return {
    post,
    fetch: async path => app.request(path),
    ask: async (name, request, blobs) =>
      decodeFrame(await successful(rpcPath(name), request, blobs)).header as never,
    read: async (stream, request) =>
      stream === 'events.follow'
        ? firstLines(await post(streamPath(stream), request))
        : void (await successful(streamPath(stream), request)),
    answered,
  }
}

/** Reads a stream that does not end by itself: its position, its events and a heartbeat. */
async function firstLines({ status, body }: Response): Promise<void> {
  if (status !== 200) throw new Error(`The stream is answered with ${status}`)
  let lines = 0
  for await (const part of body!.pipeThrough(new TextDecoderStream())) {
    lines += part.split('\n').length - 1
    if (lines >= 3) break
  }
}
