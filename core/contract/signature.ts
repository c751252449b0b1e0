/** Signatures of the requests that edge sends to core: HMAC-SHA-256 over time, method, path and body. */

export const TIME_HEADER = 'x-mien-time'
export const SIGNATURE_HEADER = 'x-mien-signature'

/** TextEncoder never returns shared memory, though some type definitions leave that open. */
const utf8 = (text: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>

export interface Signed {
  /** Unix milliseconds, as text. */
  time: string
  method: string
  /** Path and query. */
  path: string
  body: Uint8Array<ArrayBuffer>
}

/** The key that signs and checks, from the secret both halves share. */
export const signingKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', utf8(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])

const message = async ({ time, method, path, body }: Signed): Promise<Uint8Array<ArrayBuffer>> =>
  utf8([time, method, path, hex(await crypto.subtle.digest('SHA-256', body))].join('\n'))

export const sign = async (key: CryptoKey, signed: Signed): Promise<string> =>
  hex(await crypto.subtle.sign('HMAC', key, await message(signed)))

/** True when the signature is the key's own; compared in constant time by the platform. */
export const signatureHolds = async (key: CryptoKey, signed: Signed, signature: string): Promise<boolean> =>
  /^[0-9a-f]{64}$/.test(signature) &&
  crypto.subtle.verify('HMAC', key, fromHex(signature), await message(signed))

/** Lower-case hexadecimal digits. */
export const hex = (bytes: ArrayBuffer | Uint8Array): string =>
  Array.from(new Uint8Array(bytes as ArrayBuffer), byte => byte.toString(16).padStart(2, '0')).join('')

const fromHex = (digits: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(digits.match(/../g) ?? [], pair => Number.parseInt(pair, 16))

/** SHA-256 of bytes or of text, as hexadecimal digits. */
export const sha256 = async (data: Uint8Array<ArrayBuffer> | string): Promise<string> =>
  hex(await crypto.subtle.digest('SHA-256', typeof data === 'string' ? utf8(data) : data))
