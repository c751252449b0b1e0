/** The only caller of core: signs, asks one core or the next, reads the answer or the refusal. */
import { ERRORS, ServiceError } from '../../core/contract/errors.ts'
import { encodeFrame, FRAME_TYPE, type Frame } from '../../core/contract/rpc/frame.ts'
import {
  type Answer,
  EMBEDDER_HEADER,
  isRepeatable,
  type Question,
  VERBS,
  type Verb,
  verbPath,
} from '../../core/contract/rpc/operations.ts'
import { type SigningKey, signedHeaders, signingKey } from '../../core/contract/rpc/signature.ts'
import { type StreamName, type StreamQuestion, streamPath } from '../../core/contract/rpc/streams.ts'
import { readFrame, unavailableBy } from './core-answer.ts'
import { readDeadline, type StreamItems, streamItems } from './core-stream.ts'
import { CoreUnavailable } from './core-unavailable.ts'
import { coreFailover, type FailoverOptions } from './failover.ts'
import type { TrustFailure } from './trust-log.ts'

export interface Answered<V extends Verb> {
  answer: Answer<V>
  blobs: Uint8Array[]
}

export interface Core {
  /** Asks one verb of core. Throws core's refusal, or SERVICE_UNAVAILABLE when core is away or late. */
  ask<V extends Verb>(verb: V, question: Question<V>, blobs?: readonly Uint8Array[]): Promise<Answered<V>>
  /** Asks for a list without a bound. Throws like `ask`; a list that breaks off later throws where it is read. */
  stream<S extends StreamName>(stream: S, question: StreamQuestion<S>): Promise<StreamItems<S>>
  /** Core's answer to a signed picture link, streamed. */
  picture(pathAndQuery: string): Promise<Response>
}

/** What a binding to a certificate or to a tunnel offers. */
export interface Connection {
  fetch(url: URL, init: RequestInit): Promise<Response>
}

export interface CorePlace {
  url: string
  secret: string
}

export interface CoreAddress {
  /** Where core is, and the secret that both halves share. Several are cores that share what they keep. */
  cores: readonly CorePlace[]
  /** Milliseconds that an answer may take, its body included; in a list without a bound, until its next part. */
  answerMs: number
  /** What our chips are cut for: a core that embeds otherwise refuses them. */
  embedder: string
  /** A way of one's own to core: with a client certificate, or through a tunnel. The plain one when absent. */
  through?: Connection | undefined
  /** Takes work that may outlast the request it comes from. */
  background?: FailoverOptions['background']
  /** Is told when one of several cores is passed over, and when it is asked again. */
  onChange?: FailoverOptions['onChange']
  /** Called each time that a core does not trust this edge, or cannot be trusted. */
  onDistrust?: ((url: string, why: TrustFailure) => void) | undefined
}

/** What Cloudflare answers in the place of a core with which there is no TLS, or whose certificate is not valid. */
const NO_TLS = [525, 526]

export function coreClient(options: CoreAddress): Core {
  const { cores, answerMs, embedder, through, background, onChange, onDistrust = () => {} } = options
  const secrets = new Map(cores.map(({ url, secret }) => [url, secret]))
  const keys = new Map<string, SigningKey>()

  const keyFor = async (url: string): Promise<SigningKey> => {
    const key = keys.get(url) ?? (await signingKey(secrets.get(url)!))
    keys.set(url, key)
    return key
  }

  /** A fetch whose every failure is CoreUnavailable. */
  const reach = async (url: string, path: string, init: RequestInit): Promise<Response> => {
    const asked: RequestInit = { ...init, redirect: 'manual' }
    const address = new URL(path, url)
    try {
      const response = await (through ? through.fetch(address, asked) : fetch(address, asked))
      if (NO_TLS.includes(response.status)) onDistrust(url, 'certificate')
      return response
    } catch (cause) {
      if (isOfTls(url, cause)) onDistrust(url, 'certificate')
      throw new CoreUnavailable('lost', cause)
    }
  }

  /** The frame of core's answer. Throws like readFrame. */
  const frameOf = async (url: string, response: Response): Promise<Frame> => {
    try {
      return await readFrame(response)
    } catch (error) {
      if (error instanceof CoreUnavailable && error.why === 'stranger') onDistrust(url, 'signature')
      throw error
    }
  }

  const post = async (
    url: string,
    path: string,
    body: Uint8Array<ArrayBuffer>,
    { signal }: AbortController,
  ): Promise<Response> => {
    const headers = {
      ...(await signedHeaders(await keyFor(url), { method: 'POST', path, body }, Date.now())),
      'content-type': FRAME_TYPE,
      [EMBEDDER_HEADER]: embedder,
    }
    return reach(url, path, { method: 'POST', headers, body, signal })
  }

  const asking = coreFailover({
    urls: [...secrets.keys()],
    answerMs,
    look: async (url, controller) =>
      frameOf(url, await post(url, verbPath('ready'), encodeFrame({}), controller)),
    background,
    onChange,
  })

  return {
    async ask(verb, question, blobs = []) {
      const body = encodeFrame(question, blobs)
      const frame = await asking.ask(isRepeatable(question), async (url, controller) =>
        frameOf(url, await post(url, verbPath(verb), body, controller)),
      )
      const answer = VERBS[verb].answer.safeParse(frame.header)
      if (!answer.success) throw new ServiceError('INTERNAL_ERROR', {}, { cause: answer.error })
      return { answer: answer.data as Answer<typeof verb>, blobs: frame.blobs }
    },

    async stream(stream, question) {
      const body = encodeFrame(question)
      // Core answers when it has the first part: what breaks off later is not asked again.
      return asking.ask(true, async (url, controller) => {
        const response = await post(url, streamPath(stream), body, controller)
        if (!response.ok) await frameOf(url, response)
        if (!response.body) throw unavailableBy(response)
        return streamItems(stream, response.body, readDeadline(answerMs, controller))
      })
    },

    picture: pathAndQuery =>
      asking.ask(true, async (url, { signal }) => {
        const body = AbortSignal.timeout(answerMs)
        const response = await reach(url, pathAndQuery, { signal: AbortSignal.any([signal, body]) })
        if (response.status <= ERRORS.INTERNAL_ERROR.status) return response
        await response.body?.cancel()
        throw unavailableBy(response)
      }),
  }
}

/** workerd has no word of its own for a failed TLS handshake: it is an internal error. Network faults have other messages. */
const isOfTls = (url: string, cause: unknown): boolean =>
  url.startsWith('https:') &&
  cause instanceof Error &&
  /^internal error|certificate|\bTLS\b/i.test(cause.message)
