/** Posts messages to webhooks on the public internet and on trusted hosts. */
import { ALERT_LIMITS } from '../../../contract/limits/alerts.ts'
import { nameServers, systemNames } from '../../network/name-servers.ts'
import { sendPinned } from '../../network/pinned-request.ts'
import { type Guard, type Names, reachableAddresses, webUrl } from '../../network/target.ts'
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

/** Creates a PostMessage. It follows no redirect, and connects to addresses that network/target.ts allows. */
export function messagePoster({ names, connectMs, totalMs, ...guard }: PostOptions = {}): PostMessage {
  const resolving = names ?? { resolve: nameServers().resolve, resolveTrusted: systemNames() }
  return async (text, message, stop) => {
    const deadline = AbortSignal.timeout(totalMs ?? ALERT_LIMITS.deliveryMs)
    const signal = stop ? AbortSignal.any([deadline, stop]) : deadline
    const url = webUrl(text)
    const aborted = rejectionOf(signal)
    const addresses = await Promise.race([reachableAddresses(url, resolving, guard, signal), aborted])
    const response = await sendPinned(url, {
      ...{ addresses, signal },
      headers: message.headers,
      body: Buffer.from(message.body),
      maxHeaderBytes: ALERT_LIMITS.deliveryHeaderBytes,
      connectMs: connectMs ?? ALERT_LIMITS.deliveryConnectMs,
    })
    response.on('error', () => {}).destroy()
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
