/** The verbs and the unbounded lists over HTTP, for the edge alone: signed frames in, frames or lines out. */
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { errorAnswer, ServiceError } from '../../contract/errors.ts'
import { LIMITS } from '../../contract/limits.ts'
import { decodeFrame, encodeFrame, FRAME_TYPE } from '../../contract/rpc/frame.ts'
import { EMBEDDER_HEADER, type Question, VERBS, type Verb, verbPath } from '../../contract/rpc/operations.ts'
import { STREAMS, type StreamName, type StreamQuestion, streamPath } from '../../contract/rpc/streams.ts'
import type { Handlers } from './handlers.ts'
import { linesResponse } from './json-lines.ts'
import { requestMemory } from './request-memory.ts'
import { type SignatureCheck, signatureCheck } from './signed.ts'
import type { StreamHandlers } from './stream-handlers.ts'

export interface RpcOptions {
  handlers: Handlers
  readings: StreamHandlers
  door: SignatureCheck
  /** What chips are embedded with here. */
  embedder: string
  /** Is told what kept a list, of which some items were sent, from its end. */
  brokeOff(error: unknown): void
}

/** Edge and core use different packs: the one that was deployed or started earlier has to follow. */
export class OtherEmbedder extends Error {
  override readonly name = 'OtherEmbedder'
  /** Labels of both (embedding/label.ts): the log has the code of an error. */
  readonly code: string

  constructor(edge: string | undefined, core: string) {
    super()
    this.code = `edge=${edge !== undefined && LABEL.test(edge) ? edge : 'unknown'} core=${core}`
  }
}

/** What an edge may call its embedder in the log. */
const LABEL = /^[\w.-]{1,100}$/

/** One POST route per question. A refusal is a frame: the error's code and detail, under the error's status. */
export function rpcRoutes(options: RpcOptions): Hono {
  const { handlers, readings, door, embedder, brokeOff } = options
  const { inTime, signed } = signatureCheck(door)
  const room = requestMemory()
  const routes = new Hono()
  const answering = (path: string, answer: (body: Uint8Array) => Promise<Response>) =>
    routes.post(path, inTime, room, bounded, async context => {
      const body = new Uint8Array(await context.req.arrayBuffer())
      await signed(context, body)
      requireSameEmbedder(embedder, context)
      return answer(body)
    })
  for (const verb of Object.keys(VERBS) as Verb[]) {
    answering(verbPath(verb), async body => frameResponse(200, await answered(handlers, verb, body)))
  }
  for (const stream of Object.keys(STREAMS) as StreamName[]) {
    answering(streamPath(stream), body => linesResponse(reading(readings, stream, body), brokeOff))
  }
  return routes
}

/** The frame that refuses: what the caller may know of this error. */
export function refusal(error: unknown): Response {
  const { code, detail } = error instanceof ServiceError ? error : new ServiceError('INTERNAL_ERROR')
  return frameResponse(errorAnswer(error).status as ContentfulStatusCode, encodeFrame({ code, detail }))
}

const frameResponse = (status: ContentfulStatusCode, frame: Uint8Array<ArrayBuffer>): Response =>
  new Response(frame, { status, headers: { 'content-type': FRAME_TYPE, 'cache-control': 'no-store' } })

/** Parses the question, asks the verb, and gives the answer's frame. What does not parse is not of our edge's making. */
async function answered<V extends Verb>(
  handlers: Handlers,
  verb: V,
  body: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const { header, blobs } = decodeFrame(body)
  const question = VERBS[verb].question.parse(header) as Question<V>
  const reply = await handlers[verb](question, blobs)
  return encodeFrame(reply.answer, reply.blobs)
}

/** The reading that a question asks for. */
function reading<S extends StreamName>(readings: StreamHandlers, stream: S, body: Uint8Array) {
  const question = STREAMS[stream].question.parse(decodeFrame(body).header) as StreamQuestion<S>
  return readings[stream](question)
}

const bounded = bodyLimit({
  maxSize: LIMITS.bodyBytes,
  onError: () => {
    throw new ServiceError('PHOTO_TOO_LARGE')
  },
})

/** The chips of another embedder would give embeddings that look like any others, and are wrong. */
function requireSameEmbedder(embedder: string, { req }: Context): void {
  const asked = req.header(EMBEDDER_HEADER)
  if (asked !== embedder) throw new OtherEmbedder(asked, embedder)
}
