/** Signs the browser in and out: by a link, by a passkey, by an OpenID provider, or by the proxy in front. The session is a cookie that scripts cannot read. */
import { MienError } from '../../clients/typescript/src/index.ts'
import { TEXTS } from '../texts.ts'

/** The secret of a link that signs in; undefined for another address. */
export const linkCode = (hash: string): string | undefined => /^#\/sign-in\/(\w+)$/.exec(hash)?.[1]

/** The CSRF token of the session of the browser; undefined without a session. */
export const currentSession = async (url: string): Promise<string | undefined> =>
  (await sendSession<{ csrf?: string }>(url)).csrf

interface Answer<Options> {
  options?: Options
}

/** Spends a link. An invitation makes the browser ask for a new passkey. */
export async function openLink(url: string, code: string): Promise<void> {
  const { options } = await post<Answer<PublicKeyCredentialCreationOptionsJSON>>(url, { code })
  if (!options) return
  const credential = await askAuthenticator(() => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    return navigator.credentials.create({ publicKey })
  })
  await post(url, { code, credential })
}

/** Asks for one of the passkeys that the browser has for this service. */
export async function enterByPasskey(url: string): Promise<void> {
  const { options } = await post<Answer<PublicKeyCredentialRequestOptionsJSON>>(url, {})
  const credential = await askAuthenticator(() => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options!)
    return navigator.credentials.get({ publicKey })
  })
  await post(url, { credential })
}

/** The query with which the provider has sent the browser back; undefined for another address. */
export function providerAnswer(search: string): string | undefined {
  const query = new URLSearchParams(search)
  return query.has('state') && (query.has('code') || query.has('error')) ? search.slice(1) : undefined
}

/** Sends the browser to the provider. */
export async function beginAtProvider(url: string): Promise<void> {
  const { location: there } = await post<{ location: string }>(url, { provider: '' })
  location.assign(there)
}

/** Spends the answer of the provider. */
export const finishAtProvider = (url: string, answer: string): Promise<unknown> =>
  post(url, { provider: answer })

export const endSession = (url: string, csrf: string): Promise<unknown> =>
  sendSession(url, { method: 'DELETE', headers: { 'x-csrf-token': csrf } })

/** The answer of an authenticator as JSON. Throws MienError with a sentence for the visitor. */
async function askAuthenticator(ask: () => Promise<Credential | null>): Promise<unknown> {
  if (typeof PublicKeyCredential === 'undefined') throw refusal(TEXTS.signIn.insecure)
  try {
    return ((await ask()) as PublicKeyCredential | null)?.toJSON()
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    throw refusal(name === 'SecurityError' ? TEXTS.signIn.insecure : TEXTS.signIn.cancelled)
  }
}

const refusal = (reason: string, status = 400) => new MienError({ status, code: 'UNEXPECTED_ANSWER', reason })

const post = <T>(url: string, body: object) =>
  sendSession<T>(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** The answer as JSON. Throws MienError. */
async function sendSession<T>(url: string, init?: RequestInit): Promise<T> {
  const response = await fetch(`${url}/session`, { ...init, redirect: 'error' }).catch(() => undefined)
  const text = (await response?.text().catch(() => '')) ?? ''
  const answer = readJson(text) as { reason?: string }
  if (response?.ok) return answer as T
  throw refusal(answer.reason ?? TEXTS.errors.network, response?.status)
}

function readJson(text: string): object {
  try {
    return JSON.parse(text || '{}')
  } catch {
    return {}
  }
}
