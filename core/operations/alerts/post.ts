/** Posts messages to webhooks on the public internet and on trusted hosts. */
import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { LIMITS } from '../../contract/limits.ts'
import { pinned } from '../../photos/download.ts'
import { nameServers } from '../../photos/name-servers.ts'
import { systemNames } from '../../photos/system-names.ts'
import { type Guard, type Names, reachableAddresses, webUrl } from '../../photos/target.ts'
import type { SignedMessage } from './message.ts'

/** Posts a message. Returns the status of the response, whose body is not read. Rejects without a response. */
export type PostMessage = (url: string, message: SignedMessage, signal?: AbortSignal) => Promise<number>

export interface PostOptions extends Guard {
  /** Resolves names. Default: the name servers; for trusted hosts, the system's resolver. */
  names?: Names
  /** Milliseconds to connect, and in total. */
  connectMs?: number
  totalMs?: number
}

/** Creates a PostMessage. It follows no redirect, and connects to addresses of photo URLs only (photos/target.ts). */
export function messagePoster({ names, connectMs, totalMs, ...guard }: PostOptions = {}): PostMessage {
  const resolving = names ?? { resolve: nameServers().resolve, resolveTrusted: systemNames() }
  return async (text, message, stop) => {
    const deadline = AbortSignal.timeout(totalMs ?? LIMITS.deliveryMs)
    const signal = stop ? AbortSignal.any([deadline, stop]) : deadline
    const url = webUrl(text)
    const aborted = rejectionOf(signal)
    const addresses = await Promise.race([reachableAddresses(url, resolving, guard, signal), aborted])
    const response = await respond(url, {
      ...{ addresses, message, signal },
      connectMs: connectMs ?? LIMITS.deliveryConnectMs,
    })
    response.destroy()
    return response.statusCode ?? 0
  }
}

/** Rejects when the signal aborts: the system's resolver has a longer timeout of its own. */
function rejectionOf(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  if (signal.aborted) reject(signal.reason)
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return promise
}

interface Exchange {
  addresses: Parameters<typeof pinned>[0]
  message: SignedMessage
  connectMs: number
  signal: AbortSignal
}

function respond(url: URL, { addresses, message, connectMs, signal }: Exchange): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:'
  const body = Buffer.from(message.body)
  return new Promise((resolve, reject) => {
    const request = (secure ? overHttps : overHttp)(url, {
      method: 'POST',
      agent: false,
      lookup: pinned(addresses),
      headers: { ...message.headers, 'content-length': body.length, 'user-agent': 'mien' },
      maxHeaderSize: LIMITS.deliveryHeaderBytes,
      signal,
    })
    const connecting = setTimeout(() => request.destroy(new Error('no connection in time')), connectMs)
    request.once('socket', socket => {
      socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(connecting))
    })
    request.once('close', () => {
      clearTimeout(connecting)
      // A response that switches protocols emits neither `response` nor `error`.
      reject(new Error('no answer'))
    })
    request.on('error', reject)
    request.once('response', response => {
      response.on('error', () => {})
      resolve(response)
    })
    request.end(body)
  })
}
