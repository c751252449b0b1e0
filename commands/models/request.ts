/** Sends one GET of a download: through the environment's proxy, with redirects and an idle timeout. */
import { type AgentOptions, Agent as HttpAgent, type IncomingMessage, request as overHttp } from 'node:http'
import { Agent as HttpsAgent, request as overHttps } from 'node:https'
import { PACK_LIMITS } from '../../contract/limits/packs.ts'

export interface Connection {
  /** Source of HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in upper or lower case. */
  env?: NodeJS.ProcessEnv
  /** Idle timeout in milliseconds. */
  silenceMs?: number
}

/** A permanent error: another attempt would fail as well. */
export class Fatal extends Error {
  override readonly name = 'Fatal'
}

/** Status codes of transient errors. */
const TRANSIENT_STATUS = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * The response's head: 200, or 206 or 416 for a range request. Throws Fatal for permanent errors, and an Error for
 * transient ones.
 */
export async function sendRequest(
  address: string,
  headers: Readonly<Record<string, string>>,
  connection: Connection,
): Promise<IncomingMessage> {
  let url = new URL(address)
  for (let redirections = 0; ; redirections++) {
    const response = await respond(url, headers, connection)
    const { statusCode = 0, headers: answered } = response
    if (statusCode === 200 || ('range' in headers && (statusCode === 206 || statusCode === 416))) {
      const { 'content-encoding': encoding = 'identity' } = answered
      if (encoding === 'identity') return response
    }
    response.destroy()
    if (TRANSIENT_STATUS.has(statusCode)) throw new Error(`the server answers ${statusCode}`)
    if (statusCode < 300 || statusCode >= 400 || answered.location === undefined)
      throw new Fatal(`${address} can't be downloaded: the server answers ${statusCode}.`)
    url = redirected(url, answered.location, address)
    if (redirections >= PACK_LIMITS.downloadRedirects) throw new Fatal(`${address} is redirected too often.`)
  }
}

function redirected(from: URL, location: string, address: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined
  const isWeb = to?.protocol === 'https:' || (to?.protocol === 'http:' && from.protocol === 'http:')
  if (!to || !isWeb) throw new Fatal(`${address} is redirected to where nothing is downloaded from.`)
  return to
}

function respond(
  url: URL,
  headers: Readonly<Record<string, string>>,
  { env = process.env, silenceMs = PACK_LIMITS.downloadSilenceMs }: Connection,
): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:'
  // Node's own support for proxy variables, new in Node 24.
  const options: AgentOptions = { proxyEnv: env, timeout: silenceMs }
  const agent = secure ? new HttpsAgent(options) : new HttpAgent(options)
  return new Promise((resolve, reject) => {
    const request = (secure ? overHttps : overHttp)(url, {
      agent,
      headers: { 'user-agent': 'mien', 'accept-encoding': 'identity', ...headers },
    })
    // The timeout also applies while the body arrives.
    request.setTimeout(silenceMs, () => request.destroy(new Error('the server is silent')))
    request.once('error', reject)
    request.once('response', response => {
      response.once('close', () => agent.destroy())
      resolve(response)
    })
    request.end()
  })
}
