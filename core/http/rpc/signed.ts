/** Lets the edge in and nobody else: requests signed by a key that is known, in time, and not heard before. */
import type { Context, Next } from 'hono'
import { ServiceError } from '../../contract/errors.ts'
import { LIMITS } from '../../contract/limits.ts'
import { notSigned, readStamp, type SigningKey, signatureHolds } from '../../contract/rpc/signature.ts'
import type { Nonces } from './nonces.ts'

/** Why a request is not heard: for the log. Its sender is told no more than the code. */
export type RejectionReason =
  | 'no stamp'
  | 'clock'
  | 'unknown key'
  | 'signature'
  | 'repeated'
  | 'forgotten'
  | 'full'

export interface SignatureCheck {
  /** The keys that are accepted now. */
  keys(): readonly SigningKey[]
  nonces: Nonces
  /** Unix milliseconds. */
  now(): number
  onRejected(why: RejectionReason): void
}

/** What is no fault of an honest edge: it signs anew when it asks again. */
const PASSING: readonly RejectionReason[] = ['forgotten', 'full']

/**
 * Two guards. `inTime` refuses before the body is read what can't be signed properly; `signed` needs the body. Both throw
 * AUTH_FAILED, and SERVICE_UNAVAILABLE where nobody can tell whether the request is a repetition.
 */
export function signatureCheck({ keys, nonces, now, onRejected }: SignatureCheck) {
  const refuse = (why: RejectionReason): never => {
    onRejected(why)
    throw PASSING.includes(why) ? new ServiceError('SERVICE_UNAVAILABLE') : notSigned()
  }
  const stampOf = ({ req }: Context) => readStamp(name => req.header(name)) ?? refuse('no stamp')
  const keyOf = (id: string) => keys().find(key => key.id === id) ?? refuse('unknown key')

  return {
    async inTime(context: Context, next: Next): Promise<void> {
      const { key, time } = stampOf(context)
      if (Math.abs(now() - Number(time)) > LIMITS.signatureWindowMs) refuse('clock')
      if (!nonces.remembers(Number(time))) refuse('forgotten')
      keyOf(key)
      await next()
    },

    async signed(context: Context, body: Uint8Array<ArrayBuffer>): Promise<void> {
      const stamp = stampOf(context)
      const { pathname, search } = new URL(context.req.url)
      const request = { method: context.req.method, path: pathname + search, body }
      if (!(await signatureHolds(keyOf(stamp.key), stamp, request))) refuse('signature')
      const hearing = nonces.hear(stamp.nonce, Number(stamp.time), now())
      if (hearing !== 'new') refuse(hearing)
    },
  }
}
