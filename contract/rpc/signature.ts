/** Signatures of requests from edge to core: HMAC-SHA-256 over time, nonce, method, path, body and carried metrics. */
import { hex, sha256, utf8 } from '../digest.ts'
import { ServiceError } from '../errors.ts'

const HEADERS = {
  key: 'x-mien-key',
  time: 'x-mien-time',
  nonce: 'x-mien-nonce',
  signature: 'x-mien-signature',
} as const

/** Signature headers of a request. */
export interface SignatureHeaders {
  /** Id of the key that signed it. */
  key: string
  /** Time of the signature: Unix milliseconds, as text. */
  time: string
  /** 128 random bits as hexadecimal digits, unique for each request. */
  nonce: string
  /** 256 bits, as hexadecimal digits. */
  signature: string
}

/** Parts of a request that the signature covers in addition to time and nonce. */
export interface Signable {
  method: string
  /** Path and query. */
  path: string
  body: Uint8Array<ArrayBuffer>
  /** Value of METRICS_HEADER; undefined without this header. */
  metrics?: string
}

/** A secret shared by edge and core, imported for signing and verification. */
export interface SigningKey {
  /** Identifies the key in requests. It is derived from the secret and needs no configuration. */
  id: string
  key: CryptoKey
}

/** Imports a secret as a signing key. */
export const signingKey = async (secret: string): Promise<SigningKey> => ({
  id: await keyId(secret),
  key: await crypto.subtle.importKey('raw', utf8(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]),
})

/** 32 bits: enough to distinguish two keys, too few to reveal a random secret. */
export const keyId = async (secret: string): Promise<string> =>
  (await sha256(`mien key ${secret}`)).slice(0, 8)

/** Signs a request and returns its signature headers. `now` is in Unix milliseconds. */
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

/** Reads the signature headers of a request. Undefined when one is missing or malformed. */
export function readSignature(header: (name: string) => string | undefined): SignatureHeaders | undefined {
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

/** Whether the key signed this request. The platform compares in constant time. */
export const verifySignature = async (
  { key }: SigningKey,
  stamp: SignatureHeaders,
  request: Signable,
): Promise<boolean> =>
  crypto.subtle.verify('HMAC', key, fromHex(stamp.signature), await message(stamp, request))

/** Error of core for a missing or wrong signature. It concerns the edge, not the token of the caller. */
export const signatureRefusal = (): ServiceError => new ServiceError('AUTH_FAILED', { param: 'signature' })

/** Whether an error of core is a `signatureRefusal`. */
export const isNotSigned = ({ code, detail }: Pick<ServiceError, 'code' | 'detail'>): boolean =>
  code === 'AUTH_FAILED' && detail.param === 'signature'

const message = async (
  { time, nonce }: Pick<SignatureHeaders, 'time' | 'nonce'>,
  { method, path, body, metrics }: Signable,
): Promise<Uint8Array<ArrayBuffer>> => {
  const parts = [time, nonce, method, path, hex(await crypto.subtle.digest('SHA-256', body))]
  return utf8([...parts, ...(metrics === undefined ? [] : [metrics])].join('\n'))
}

const fromHex = (digits: string) =>
  Uint8Array.from(digits.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
