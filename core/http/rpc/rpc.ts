/** HTTP routes of the RPC operations and streams, for edges only: signed frames in, frames or lines of JSON out. */
import { type Context, Hono, type Next } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { environment } from '../../../contract/environment.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { REQUEST_LIMITS } from '../../../contract/limits/requests.ts'
import { RPC_LIMITS } from '../../../contract/limits/rpc.ts'
import { METRICS_HEADER } from '../../../contract/metrics.ts'
import {
  isChange,
  RPC_OPERATIONS,
  type RpcOperation,
  type RpcRequest,
  rpcPath,
  STREAMS,
  type StreamName,
  streamPath,
  WITHIN_PARAM,
} from '../../../contract/operations/messages.ts'
import { decodeFrame, encodeFrame, FRAME_TYPE } from '../../../contract/rpc/frame.ts'
import { EMBEDDER_HEADER, RPC_VERSION, VERSION_HEADER } from '../../../contract/rpc/message-headers.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { untilEnd } from '../caller-connected.ts'
import { ChangeOutcomes, latestStartOf, refusalFrame, runChange } from './changes.ts'
import { type EdgeVersion, EmbedderMismatch, edgeVersion } from './edge-compatibility.ts'
import type { Handler, Handlers, StreamHandlers } from './handlers.ts'
import { linesResponse } from './json-lines.ts'
import { type SignatureCheck, signatureCheck } from './signed.ts'

/** Dependencies of the RPC routes. */
export interface RpcOptions {
  handlers: Handlers
  streamHandlers: StreamHandlers
  signatures: SignatureCheck
  /** Label of the chips that core embeds (embedding/label.ts). */
  chips: string
  /** Adds the counts that a request carries. */
  addBatch: Metrics['addBatch']
  /** Receives the error that interrupted a stream after its first items. */
  brokeOff(error: unknown): void
}

/** One POST route per operation or stream. An error response is a frame with the code and detail, with the error's status. */
export function rpcRoutes(options: RpcOptions): Hono {
  const { handlers, streamHandlers, signatures, chips, addBatch, brokeOff } = options
  const { inTime, signed } = signatureCheck(signatures)
  const outcomes = new ChangeOutcomes(signatures.nonces)
  const limitMemory = requestMemory()
  const routes = new Hono()
  const route = (path: string, respond: (request: EdgeRequest) => Promise<Response>) =>
    routes.post(path, addHeaders, inTime, limitMemory, limitBody, async (context: Context) => {
      const body = new Uint8Array(await untilEnd(context.req.arrayBuffer()))
      const nonce = await signed(context, body)
      context.set(METRICS_HEADER, addBatch(context.req.header(METRICS_HEADER)))
      const edge = edgeVersion(context.req.header(VERSION_HEADER))
      requireSameChips(chips, context)
      const latestStart = latestStartOf(context.get(ARRIVED_AT), context.req.query(WITHIN_PARAM))
      return respond({ body, edge, nonce, latestStart })
    })
  const all: Handlers = {
    ...handlers,
    'change.outcome': question =>
      outcomes.outcomeOf(question as RpcRequest<'change.outcome'>, signatures.now()),
  }
  for (const name of Object.keys(RPC_OPERATIONS) as RpcOperation[]) {
    route(rpcPath(name), async ({ body, edge, nonce, latestStart }) => {
      const work = () => execute(all[name]!, name, body, edge)
      const change = () => outcomes.run(nonce, () => runChange(latestStart, work))
      return frameResponse(200, await (isChange(name) ? change() : work()))
    })
  }
  for (const stream of Object.keys(STREAMS) as StreamName[]) {
    route(streamPath(stream), ({ body, edge }) =>
      linesResponse(
        streamHandlers[stream]!(STREAMS[stream].request.parse(decodeFrame(body).header)),
        brokeOff,
        edge.stream(stream),
      ),
    )
  }
  return routes
}

/** A request of an edge whose signature is valid. */
interface EdgeRequest {
  body: Uint8Array
  edge: EdgeVersion
  nonce: string
  /** See runChange. */
  latestStart: number
}

const ARRIVED_AT = 'arrivedAt'

/** Notes when a request arrived, before its body. Every answer names core's version and the batch of metrics that was counted. */
async function addHeaders(context: Context, next: Next) {
  context.set(ARRIVED_AT, environment.monotonic())
  await next()
  context.header(VERSION_HEADER, String(RPC_VERSION))
  const counted: string | undefined = context.get(METRICS_HEADER)
  if (counted !== undefined) context.header(METRICS_HEADER, counted)
}

/** Error response with the public code and detail of an error, as a frame. */
export function refusal(error: unknown): Response {
  const { status, frame } = refusalFrame(error)
  return frameResponse(status as ContentfulStatusCode, frame)
}

const frameResponse = (status: ContentfulStatusCode, frame: Uint8Array<ArrayBuffer>) =>
  new Response(frame, { status, headers: { 'content-type': FRAME_TYPE, 'cache-control': 'no-store' } })

/** Parses the request, calls the handler and encodes the response. A request that does not parse throws: INTERNAL_ERROR. */
async function execute(
  handler: Handler,
  name: RpcOperation,
  body: Uint8Array,
  edge: EdgeVersion,
): Promise<Uint8Array<ArrayBuffer>> {
  const { header, blobs } = decodeFrame(body)
  const reply = await handler(RPC_OPERATIONS[name].request.parse(header), blobs)
  return encodeFrame(edge.operation(name)('response', reply.response), reply.blobs)
}

const limitBody = bodyLimit({
  maxSize: REQUEST_LIMITS.bodyBytes,
  onError: () => {
    throw new ServiceError('PHOTO_TOO_LARGE')
  },
})

/** Chips made for another embedder give wrong embeddings that cannot be detected later. */
function requireSameChips(chips: string, { req }: Context) {
  const asked = req.header(EMBEDDER_HEADER)
  if (asked !== chips) throw new EmbedderMismatch(asked, chips)
}

type Bounds = Record<'coreRequests' | 'coreRequestBytes', number>

/** Middleware that admits a request within the bounds. Throws SERVICE_UNAVAILABLE. */
export function requestMemory(bounds: Bounds = RPC_LIMITS) {
  let requests = 0
  let bytes = 0
  return async (context: Context, next: () => Promise<void>): Promise<void> => {
    const length = frameBytes(context)
    if (requests >= bounds.coreRequests || bytes + length > bounds.coreRequestBytes)
      throw new ServiceError('SERVICE_UNAVAILABLE')
    requests++
    bytes += length
    try {
      await next()
    } finally {
      requests--
      bytes -= length
    }
  }
}

/** Content-Length of the frame; the maximum when it is absent. */
const frameBytes = ({ req }: Context) => {
  const announced = req.header('content-length')
  return announced === undefined ? REQUEST_LIMITS.bodyBytes : Number(announced)
}
