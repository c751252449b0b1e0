/** The RPC client for core: signs requests, fails over between cores, and reads results and refusals. */
import { environment } from '../../contract/environment.ts'
import { ERRORS, ServiceError } from '../../contract/errors.ts'
import { EDGE_LIMITS } from '../../contract/limits/edge.ts'
import { EVENT_LIMITS } from '../../contract/limits/events.ts'
import { RPC_LIMITS } from '../../contract/limits/rpc.ts'
import { METRICS_HEADER } from '../../contract/metrics.ts'
import {
  isChange,
  isRepeatable,
  RPC_OPERATIONS,
  type RpcOperation,
  type RpcRequest,
  type RpcResponse,
  rpcPath,
  type StreamName,
  type StreamRequest,
  streamPath,
  WITHIN_PARAM,
} from '../../contract/operations/messages.ts'
import { encodeFrame, FRAME_TYPE, type Frame } from '../../contract/rpc/frame.ts'
import { EMBEDDER_HEADER, RPC_VERSION, VERSION_HEADER } from '../../contract/rpc/message-headers.ts'
import {
  readSignature,
  type SignatureHeaders,
  type SigningKey,
  signedHeaders,
  signingKey,
} from '../../contract/rpc/signature.ts'
import type { EdgeMetrics } from '../metrics.ts'
import { answerToChange } from './change-outcome.ts'
import {
  CoreUnavailable,
  isFromOlderCore,
  isMisunderstood,
  olderCore,
  readFrame,
  unavailableBy,
} from './core-response.ts'
import { readDeadline, type StreamItems, streamItems } from './core-stream.ts'
import { type AttemptLimits, coreFailover, type FailoverOptions } from './failover.ts'
import type { TrustFailure } from './trust-log.ts'

interface CoreResult<V extends RpcOperation> {
  response: RpcResponse<V>
  blobs: Uint8Array[]
}

export interface Core {
  /**
   * Calls one RPC operation. Throws core's refusal, or SERVICE_UNAVAILABLE when core is unavailable or exceeds `answerMs`. After
   * SERVICE_UNAVAILABLE nothing was changed. Throws OUTCOME_UNKNOWN when the answer to a change is lost and cannot be learnt.
   */
  call<V extends RpcOperation>(
    operation: V,
    request: RpcRequest<V>,
    blobs?: readonly Uint8Array[],
  ): Promise<CoreResult<V>>
  /** Requests an unbounded list. Throws like `call`. If the list breaks off later, the iteration throws SERVICE_UNAVAILABLE. */
  stream<S extends StreamName>(stream: S, request: StreamRequest<S>): Promise<StreamItems<S>>
  /** Core's response to a signed picture link, streamed. `pathAndQuery` starts with `/pictures/`. `range`: the header of the caller. */
  picture(pathAndQuery: string, range?: string): Promise<Response>
  /** The same core, for the calls of one request: their lines in the log of core have its id. */
  forRequest(requestId: string): Core
}

/** A binding to a client certificate or to a tunnel. */
export interface CoreConnection {
  fetch(url: URL, init: RequestInit): Promise<Response>
}

export interface CoreEndpoint {
  url: string
  secret: string
}

export interface CoreClientOptions {
  /** URL and shared secret of each core. Several cores share their storage. */
  cores: readonly CoreEndpoint[]
  /** Timeout in milliseconds for a response with its body; in an unbounded list, for each part. */
  answerMs: number
  /** The same for a change, with the questions for a lost answer. EDGE_LIMITS.coreChangeMs unless given. */
  changeMs?: number
  /** Label of the embedder for which the edge cuts face chips. A core with another embedder refuses the chips. */
  embedder: string
  /** Counts of this isolate, which requests carry to core. */
  metrics?: Pick<EdgeMetrics, 'carry' | 'answered'>
  /** Connection with a client certificate or through a tunnel. Absent: the global `fetch`. */
  through?: CoreConnection
  /** Runs a task that may outlast its request. */
  background?: FailoverOptions['background']
  /** Called when one of several cores is skipped (false), and when it is used again (true). */
  onChange?: FailoverOptions['onChange']
  /** Called for each rejected edge signature, each failed TLS handshake, and each request that an earlier core did not understand. */
  onDistrust?: (url: string, why: TrustFailure) => void
}

/** A signed request, ready to be sent. */
interface PreparedRequest {
  stamp: SignatureHeaders
  post(signal: AbortSignal): Promise<Response>
}

interface Exchange {
  response: Response
  frame: Frame
}

/** Statuses that Cloudflare returns when the TLS handshake with core fails, or core's certificate is invalid. */
const NO_TLS = [525, 526]

export function coreClient(options: CoreClientOptions): Core {
  const { cores, answerMs, embedder, metrics, through } = options
  const { background, onChange, onDistrust = () => {}, changeMs = EDGE_LIMITS.coreChangeMs } = options
  const secrets = new Map(cores.map(({ url, secret }) => [url, secret]))
  const keys = new Map<string, SigningKey>()

  const keyFor = async (url: string): Promise<SigningKey> => {
    const key = keys.get(url) ?? (await signingKey(secrets.get(url)!))
    keys.set(url, key)
    return key
  }

  /** Sends a request. Every network failure becomes CoreUnavailable. */
  const send = async (url: string, path: string, init: RequestInit): Promise<Response> => {
    const requestInit: RequestInit = { ...init, redirect: 'manual' }
    const address = new URL(path, url)
    try {
      const response = await (through ? through.fetch(address, requestInit) : fetch(address, requestInit))
      if (NO_TLS.includes(response.status)) onDistrust(url, 'certificate')
      return response
    } catch (cause) {
      if (isTlsError(url, cause)) onDistrust(url, 'certificate')
      throw new CoreUnavailable('lost', cause)
    }
  }

  const older = (url: string, cause: unknown): never => {
    onDistrust(url, 'version')
    throw olderCore(cause)
  }

  /** Reads the frame of a response, and reports a rejected signature and an earlier core. Throws like readFrame. */
  const frameFrom = async (url: string, response: Response): Promise<Frame> => {
    try {
      return await readFrame(response)
    } catch (error) {
      if (error instanceof CoreUnavailable && error.why === 'stranger') onDistrust(url, 'signature')
      if (isMisunderstood(response, error)) older(url, error)
      throw error
    }
  }

  /** Signs a request. */
  const prepare = async (
    url: string,
    path: string,
    body: Uint8Array<ArrayBuffer>,
    idHeaders: Record<string, string> = {},
  ): Promise<PreparedRequest> => {
    const carried = metrics?.carry(url)
    const signable = { method: 'POST', path, body, metrics: carried }
    const signature = await signedHeaders(await keyFor(url), signable, environment.now())
    const headers = {
      ...idHeaders,
      ...signature,
      'content-type': FRAME_TYPE,
      [EMBEDDER_HEADER]: embedder,
      [VERSION_HEADER]: String(RPC_VERSION),
      ...(carried !== undefined && { [METRICS_HEADER]: carried }),
    }
    return {
      stamp: readSignature(name => signature[name])!,
      async post(signal) {
        const response = await send(url, path, { method: 'POST', headers, body, signal })
        metrics?.answered(url, response.headers)
        return response
      },
    }
  }

  const exchange = async (url: string, { post }: PreparedRequest, signal: AbortSignal): Promise<Exchange> => {
    const response = await post(signal)
    return { response, frame: await frameFrom(url, response) }
  }

  /** Sends a change, and asks for its answer when that is lost. Throws as answerToChange and frameFrom do. */
  const exchangeChange = async (
    url: string,
    prepared: (path: string) => Promise<PreparedRequest>,
    { controller: { signal }, end, isLast }: AttemptLimits,
    isRepeatable: boolean,
  ): Promise<Exchange> => {
    const left = end - environment.now()
    const within = Math.max(0, Math.round(left - RPC_LIMITS.commitMs))
    const request = await prepared(`?${WITHIN_PARAM}=${within}`)
    const patience = environment.deadline(Math.max(0, left - EDGE_LIMITS.outcomeMs))
    try {
      return await exchange(url, request, AbortSignal.any([signal, patience]))
    } catch (cause) {
      if (!(cause instanceof CoreUnavailable) || cause.why !== 'lost') throw cause
      // Another core may execute it, too: the key keeps them apart.
      if (isRepeatable && !isLast) throw new CoreUnavailable('unknown', cause)
      const { stamp } = request
      const response = await answerToChange({ stamp, cause }, question => ask(url, question, signal), signal)
      return { response, frame: await frameFrom(url, response) }
    }
  }

  const ask = async (url: string, question: RpcRequest<'change.outcome'>, signal: AbortSignal) => {
    const request = await prepare(url, rpcPath('change.outcome'), encodeFrame(question))
    const { frame } = await exchange(url, request, signal)
    const response = RPC_OPERATIONS['change.outcome'].response.parse(frame.header)
    return { response: response as RpcResponse<'change.outcome'>, blobs: frame.blobs }
  }

  const failover = coreFailover({
    urls: [...secrets.keys()],
    answerMs,
    changeMs,
    checkHealth: async (url, { signal }) =>
      exchange(url, await prepare(url, rpcPath('ready'), encodeFrame({})), signal),
    background,
    onChange,
  })

  const withHeaders = (idHeaders: Record<string, string>): Core => ({
    async call(operation, request, sent = []) {
      const body = encodeFrame(request, sent)
      const [changes, repeats] = [isChange(operation), isRepeatable(operation, request)]
      return failover.ask(
        { isChange: changes, isRepeatable: repeats, key: keyOf(operation, request) },
        async (url, limits) => {
          const prepared = (query = '') => prepare(url, rpcPath(operation) + query, body, idHeaders)
          const { response, frame } = changes
            ? await exchangeChange(url, prepared, limits, repeats)
            : await exchange(url, await prepared(), limits.controller.signal)
          const { header, blobs } = frame
          const parsed = RPC_OPERATIONS[operation].response.safeParse(header)
          if (parsed.success) return { response: parsed.data as RpcResponse<typeof operation>, blobs }
          if (changes) throw new CoreUnavailable('unknown', parsed.error)
          if (isFromOlderCore(response)) older(url, parsed.error)
          throw new ServiceError('INTERNAL_ERROR', {}, { cause: parsed.error })
        },
      )
    },

    async stream(stream, request) {
      const body = encodeFrame(request)
      // Core responds when the first part is ready. A list that breaks off later is not retried.
      return failover.ask(
        { isRepeatable: true, key: keyOf(stream, request) },
        async (url, { controller }) => {
          const prepared = await prepare(url, streamPath(stream), body, idHeaders)
          const response = await prepared.post(controller.signal)
          if (!response.ok) await frameFrom(url, response)
          if (!response.body) throw unavailableBy(response)
          return streamItems(stream, response.body, readDeadline(silenceMs(stream, answerMs), controller))
        },
      )
    },

    picture: (pathAndQuery, range) =>
      failover.ask({ isRepeatable: true }, async (url, { controller }) => {
        const body = environment.deadline(answerMs)
        const response = await send(url, pathAndQuery, {
          signal: AbortSignal.any([controller.signal, body]),
          ...(range !== undefined && { headers: { range } }),
        })
        if (response.status <= ERRORS.INTERNAL_ERROR.status) return response
        await response.body?.cancel()
        throw unavailableBy(response)
      }),

    forRequest: requestId => withHeaders({ 'x-request-id': requestId }),
  })
  return withHeaders({})
}

/** Messages for a watcher, its viewers and its recordings, which meet at one core. */
const LIVE: readonly string[] = ['camera.lease', 'cameras.viewers', 'camera.live', 'recording.put']

/** Requests with one key are sent to the same core while it is available. Prepared faces are in the memory of a core. */
const keyOf = (message: string, request: object): string | undefined => {
  if ('preparation' in request && request.preparation !== undefined) return String(request.preparation)
  return LIVE.includes(message) && 'owner' in request ? String(request.owner) : undefined
}

/** Longest time between two parts of a stream. Live events may be rare; their heartbeats are not. */
const silenceMs = (stream: StreamName, answerMs: number) =>
  stream === 'events.follow' || LIVE.includes(stream) ? Math.max(answerMs, EVENT_LIMITS.silenceMs) : answerMs

/** workerd reports a failed TLS handshake as an internal error. Network faults have other messages. */
const isTlsError = (url: string, cause: unknown) =>
  url.startsWith('https:') &&
  cause instanceof Error &&
  /^internal error|certificate|\bTLS\b/i.test(cause.message)
