/** Signatures of the requests that edge sends to core: HMAC-SHA-256 over time, nonce, method, path and body. */
import { ServiceError } from '../errors.ts'

const HEADERS = {
  key: 'x-mien-key',
  time: 'x-mien-time',
  nonce: 'x-mien-nonce',
  signature: 'x-mien-signature',
} as const

/** What a request says of its signature. */
export interface Stamp {
  /** Id of the key that signed it. */
  key: string
  /** When it was signed: unix milliseconds, as text. */
  time: string
  /** 128 random bits, as hexadecimal digits: no two requests have the same. */
  nonce: string
  /** 256 bits, as hexadecimal digits. */
  signature: string
}

export interface Signable {
  method: string
  /** Path and query. */
  path: string
  body: Uint8Array<ArrayBuffer>
}

/** A secret that both halves share, ready to sign and to check. */
export interface SigningKey {
  /** By this a request says which key signed it. It follows from the secret, so that nobody has to be told it. */
  id: string
  key: CryptoKey
}

/** TextEncoder never returns shared memory, though some type definitions leave that open. */
const utf8 = (text: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>

export const signingKey = async (secret: string): Promise<SigningKey> => ({
  id: await keyId(secret),
  key: await crypto.subtle.importKey('raw', utf8(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]),
})

/** 32 bits are enough to tell two keys apart, and too few to tell anything of a random secret. */
export const keyId = async (secret: string): Promise<string> =>
  (await sha256(`mien key ${secret}`)).slice(0, 8)

/** The headers of a request that is signed at this time (unix milliseconds). */
export async function signedHeaders(
  { id, key }: SigningKey,
  request: Signable,
  now: number,
): Promise<Record<string, string>> {
  const time = String(now)
  const nonce = hex(crypto.getRandomValues(new Uint8Array(16)))
  const signature = hex(await crypto.subtle.sign('HMAC', key, await message({ time, nonce }, request)))
  return {
    [HEADERS.key]: id,
    [HEADERS.time]: time,
    [HEADERS.nonce]: nonce,
    [HEADERS.signature]: signature,
  }
}

/** What a request says of its signature; undefined when that can't be true. */
export function readStamp(header: (name: string) => string | undefined): Stamp | undefined {
  const { key, time, nonce, signature } = {
    key: header(HEADERS.key) ?? '',
    time: header(HEADERS.time) ?? '',
    nonce: header(HEADERS.nonce) ?? '',
    signature: header(HEADERS.signature) ?? '',
  }
  const isOne =
    /^[0-9a-f]{8}$/.test(key) &&
    /^\d{1,15}$/.test(time) &&
    /^[0-9a-f]{32}$/.test(nonce) &&
    /^[0-9a-f]{64}$/.test(signature)
  return isOne ? { key, time, nonce, signature } : undefined
}

/** True when the key signed this request; compared in constant time by the platform. */
export const signatureHolds = async (
  { key }: SigningKey,
  stamp: Stamp,
  request: Signable,
): Promise<boolean> =>
  crypto.subtle.verify('HMAC', key, fromHex(stamp.signature), await message(stamp, request))

/** How core refuses what is not signed as it has to be: the edge's fault, and none of the caller's and the caller's token. */
export const notSigned = (): ServiceError => new ServiceError('AUTH_FAILED', { param: 'signature' })

export const isNotSigned = ({ code, detail }: Pick<ServiceError, 'code' | 'detail'>): boolean =>
  code === 'AUTH_FAILED' && detail.param === 'signature'

const message = async (
  { time, nonce }: Pick<Stamp, 'time' | 'nonce'>,
  { method, path, body }: Signable,
): Promise<Uint8Array<ArrayBuffer>> =>
  utf8([time, nonce, method, path, hex(await crypto.subtle.digest('SHA-256', body))].join('\n'))

/** Lower-case hexadecimal digits. */
export const hex = (bytes: ArrayBuffer | Uint8Array): string =>
  Array.from(new Uint8Array(bytes as ArrayBuffer), byte => byte.toString(16).padStart(2, '0')).join('')

const fromHex = (digits: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(digits.match(/../g) ?? [], pair => Number.parseInt(pair, 16))

/** SHA-256 of bytes or of text, as hexadecimal digits. */
export const sha256 = async (data: Uint8Array<ArrayBuffer> | string): Promise<string> =>
  hex(await crypto.subtle.digest('SHA-256', typeof data === 'string' ? utf8(data) : data))
