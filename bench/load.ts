/** Callers that send requests, and a cheap client for them: it shares the processor with the service. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Calls again and again, by so many callers at once, until `isOver`. With `perSecond`, calls begin at even distances,
 * unless earlier ones of the same caller take longer. `turn` counts the calls of a caller.
 */
export async function callers(
  count: number,
  isOver: () => boolean,
  call: (caller: number, turn: number) => Promise<unknown>,
  perSecond = Number.POSITIVE_INFINITY,
): Promise<void> {
  const pause = (1000 * count) / perSecond
  const caller = async (_: unknown, number: number) => {
    if (pause > 0) await sleep((number * pause) / count)
    for (let turn = 0; !isOver(); turn++) {
      const next = performance.now() + pause
      await call(number, turn)
      if (pause > 0) await sleep(Math.max(0, next - performance.now()))
    }
  }
  await Promise.all(Array.from({ length: count }, caller))
}

/** True from so many milliseconds on. */
export function after(ms: number): () => boolean {
  const end = performance.now() + ms
  return () => performance.now() >= end
}

interface Request {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

interface Response {
  /** 0 without a response. */
  readonly status: number
  readonly ms: number
}

/** Sends a request. Never rejects. */
type Ask = (request: Request) => Promise<Response>

/** A client that ignores bodies of responses. Core takes requests of its machine without a token. */
export function cheapClient(origin: string): Ask {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(origin)
  return ({ method, path, headers = {}, body }) =>
    new Promise(resolve => {
      const began = performance.now()
      let status = 0
      const done = () => resolve({ status, ms: performance.now() - began })
      const all = { ...(body && { 'content-length': String(body.length) }), ...headers }
      const sent = request({ agent, hostname, port, method, path, headers: all })
      sent.on('response', response => {
        status = response.statusCode ?? 0
        response.resume()
        response.on('error', () => {})
        response.on('close', done)
      })
      // A refusal may arrive before the whole body is sent.
      sent.on('error', () => status || done())
      sent.end(body)
    })
}
