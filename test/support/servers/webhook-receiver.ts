/** A receiver of webhooks: an HTTP server that verifies signatures with the package of the specification. */
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { type AlertMessage, AlertMessageSchema } from '#contract/model/alert.ts'
import { serve } from './served.ts'

/** A request to the receiver. */
interface Received {
  id: string
  headers: IncomingHttpHeaders
  body: string
  message: AlertMessage
}

/** The status of the answer; undefined for no answer; a text for a redirect to it. */
type Answer = (received: Received) => number | string | undefined

interface Receiver {
  /** `host:port`, for the list of trusted hosts. */
  host: string
  url: string
  received: Received[]
  /** Replaces the answers. */
  answer: Answer
  /** Whether the secret signed a request. */
  isSigned(received: Received, secret: string): boolean
}

/** Starts a receiver, which answers 204 to everything; the test closes it at its end. */
export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = {
    host: '',
    url: '',
    received: [],
    answer: () => 204,
    isSigned({ body, headers }, secret) {
      try {
        new Webhook(secret).verify(body, headers as Record<string, string>)
        return true
      } catch {
        return false
      }
    },
  }
  const origin = await serve(async (request, response) => {
    const body = await text(request)
    const message = AlertMessageSchema.parse(JSON.parse(body))
    const received = { id: String(request.headers['webhook-id']), headers: request.headers, body, message }
    receiver.received.push(received)
    const answer = receiver.answer(received)
    if (typeof answer === 'string') response.writeHead(302, { location: answer }).end()
    else if (answer !== undefined) response.writeHead(answer).end('x'.repeat(100_000))
  })
  receiver.host = new URL(origin).host
  receiver.url = `${origin}/alerts?key=anna`
  return receiver
}
