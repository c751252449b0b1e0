/** Posts messages to webhooks on the public internet and on trusted hosts. */
import { environment } from '../../../contract/environment.ts'
import { ALERT_LIMITS } from '../../../contract/limits/alerts.ts'
import { nameServers, systemNames } from '../../network/name-servers.ts'
import { sendGuarded } from '../../network/pinned-request.ts'
import type { Guard } from '../../network/target.ts'
import type { SignedMessage } from './signed-message.ts'

/** Posts a message. Returns the status of the response, whose body is not read. Rejects without a response. */
export type PostMessage = (url: string, message: SignedMessage, signal?: AbortSignal) => Promise<number>

interface PostOptions extends Guard {
  /** Milliseconds in total. */
  totalMs?: number
}

/** Creates a PostMessage. It follows no redirect, and connects to addresses that network/target.ts allows. */
export function messagePoster({ totalMs = ALERT_LIMITS.deliveryMs, ...guard }: PostOptions): PostMessage {
  const names = { resolve: nameServers(), resolveTrusted: systemNames() }
  return async (url, message, stop) => {
    const deadline = environment.deadline(totalMs)
    const response = await sendGuarded(url, {
      names,
      guard,
      headers: message.headers,
      body: Buffer.from(message.body),
      maxHeaderBytes: ALERT_LIMITS.deliveryHeaderBytes,
      connectMs: ALERT_LIMITS.deliveryConnectMs,
      signal: stop ? AbortSignal.any([deadline, stop]) : deadline,
    })
    response.on('error', () => {}).destroy()
    return response.statusCode ?? 0
  }
}
