/** The only caller of core: signs, sets the deadline, reads the answer or the refusal. */
import { ERRORS, type ErrorCode, ServiceError } from '../core/contract/errors.ts'
import { decodeFrame, encodeFrame, FRAME_TYPE, type Frame } from '../core/contract/frame.ts'
import { isNotSigned, type SigningKey, signedHeaders, signingKey } from '../core/contract/signature.ts'
import { type StreamName, type StreamQuestion, streamPath } from '../core/contract/streams.ts'
import {
  type Answer,
  EMBEDDER_HEADER,
  type Question,
  RefusalSchema,
  VERBS,
  type Verb,
  verbPath,
} from '../core/contract/wire.ts'
import { type Items, itemsOf, patience } from './core-stream.ts'

export interface Answered<V extends Verb> {
  answer: Answer<V>
  blobs: Uint8Array[]
}

export interface Core {
  /** Asks one verb of core. Throws core's refusal, or SERVICE_UNAVAILABLE when core is away or late. */
  ask<V extends Verb>(verb: V, question: Question<V>, blobs?: readonly Uint8Array[]): Promise<Answered<V>>
  /** Asks for a list without a bound. Throws like `ask`; a list that breaks off later throws where it is read. */
  stream<S extends StreamName>(stream: S, question: StreamQuestion<S>): Promise<Items<S>>
  /** Core's answer to a signed picture link, streamed. */
  picture(pathAndQuery: string): Promise<Response>
}

/** What a binding to a certificate or to a tunnel offers. */
export interface Connection {
  fetch(url: URL, init: RequestInit): Promise<Response>
}

export interface CoreAddress {
  url: string
  /** The secret that both halves share. */
  secret: string
  /** Milliseconds that an answer may take, its body included; in a list without a bound, until its next part. */
  answerMs: number
  /** What our chips are cut for: a core that embeds otherwise refuses them. */
  embedder: string
  /** A way of one's own to core: with a client certificate, or through a tunnel. The plain one when absent. */
  through?: Connection | undefined
}

export function coreClient({ url, secret, answerMs, embedder, through }: CoreAddress): Core {
  let key: SigningKey | undefined

  /** A fetch whose every failure is SERVICE_UNAVAILABLE. */
  const reach = async (path: string, init: RequestInit): Promise<Response> => {
    try {
      const signal = init.signal ?? AbortSignal.timeout(answerMs)
      const asked: RequestInit = { ...init, redirect: 'manual', signal }
      const address = new URL(path, url)
      return await (through ? through.fetch(address, asked) : fetch(address, asked))
    } catch (cause) {
      throw new ServiceError('SERVICE_UNAVAILABLE', {}, { cause })
    }
  }

  const post = async (
    path: string,
    body: Uint8Array<ArrayBuffer>,
    init: Pick<RequestInit, 'signal'> = {},
  ): Promise<Response> => {
    key ??= await signingKey(secret)
    const headers = {
      ...(await signedHeaders(key, { method: 'POST', path, body }, Date.now())),
      'content-type': FRAME_TYPE,
      [EMBEDDER_HEADER]: embedder,
    }
    return reach(path, { ...init, method: 'POST', headers, body })
  }

  return {
    async ask(verb, question, blobs = []) {
      const response = await post(verbPath(verb), encodeFrame(question, blobs))
      const frame = await readFrame(response)
      if (!response.ok) throw refusal(frame)
      const answer = VERBS[verb].answer.safeParse(frame.header)
      if (!answer.success) throw new ServiceError('INTERNAL_ERROR', {}, { cause: answer.error })
      return { answer: answer.data as Answer<typeof verb>, blobs: frame.blobs }
    },

    async stream(stream, question) {
      const { signal, during } = patience(answerMs)
      const response = await during(post(streamPath(stream), encodeFrame(question), { signal }))
      if (!response.ok) throw refusal(await readFrame(response))
      if (!response.body) throw new ServiceError('SERVICE_UNAVAILABLE')
      return itemsOf(stream, response.body, { during })
    },

    picture: pathAndQuery => reach(pathAndQuery, {}),
  }
}

/** Whatever answers without a frame is not core as we know it: a proxy's error page, or a core that is stopping. */
async function readFrame(response: Response): Promise<Frame> {
  try {
    return decodeFrame(new Uint8Array(await response.arrayBuffer()))
  } catch (cause) {
    throw new ServiceError('SERVICE_UNAVAILABLE', {}, { cause })
  }
}

function refusal(frame: Frame): ServiceError {
  const parsed = RefusalSchema.safeParse(frame.header)
  if (!parsed.success || !(parsed.data.code in ERRORS)) return new ServiceError('INTERNAL_ERROR')
  const error = new ServiceError(parsed.data.code as ErrorCode, parsed.data.detail)
  // Secrets or clocks that do not agree: the caller's token is as good as ever.
  return isNotSigned(error) ? new ServiceError('SERVICE_UNAVAILABLE', {}, { cause: error }) : error
}
