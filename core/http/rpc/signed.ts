/** Authenticates edges: accepts requests with a known key, a valid signature, a current time and a new nonce. */
import type { Context, Next } from 'hono'
import { ServiceError } from '../../../contract/errors.ts'
import { RPC_LIMITS } from '../../../contract/limits/rpc.ts'
import { METRICS_HEADER } from '../../../contract/metrics.ts'
import {
  notSigned,
  readSignature,
  type SigningKey,
  verifySignature,
} from '../../../contract/rpc/signature.ts'
import type { Nonces } from './nonces.ts'

/** Reason of a rejection, for the log only. The response contains only the error code. */
export type RejectionReason =
  | 'no stamp'
  | 'clock'
  | 'unknown key'
  | 'signature'
  | 'repeated'
  | 'forgotten'
  | 'full'

/** Dependencies of the signature check. */
export interface SignatureCheck {
  /** The keys that are accepted at present. */
  keys(): readonly SigningKey[]
  nonces: Nonces
  /** Unix milliseconds. */
  now(): number
  onRejected(why: RejectionReason): void
}

/** Reasons that also concern valid edges. A retry with a new signature succeeds. */
const RETRYABLE: readonly RejectionReason[] = ['forgotten', 'full']

/**
 * Two guards. `inTime` checks the headers before the body is read. `signed` checks the signature and the nonce with the body.
 * Both throw AUTH_FAILED, and SERVICE_UNAVAILABLE when core cannot detect whether the request is a replay.
 */
export function signatureCheck({ keys, nonces, now, onRejected }: SignatureCheck) {
  const refuse = (why: RejectionReason): never => {
    onRejected(why)
    throw RETRYABLE.includes(why) ? new ServiceError('SERVICE_UNAVAILABLE') : notSigned()
  }
  const stampOf = ({ req }: Context) => readSignature(name => req.header(name)) ?? refuse('no stamp')
  const keyOf = (id: string) => keys().find(key => key.id === id) ?? refuse('unknown key')

  return {
    async inTime(context: Context, next: Next): Promise<void> {
      const { key, time } = stampOf(context)
      if (Math.abs(now() - Number(time)) > RPC_LIMITS.signatureWindowMs) refuse('clock')
      if (!nonces.remembers(Number(time))) refuse('forgotten')
      keyOf(key)
      await next()
    },

    async signed(context: Context, body: Uint8Array<ArrayBuffer>): Promise<void> {
      const stamp = stampOf(context)
      const { pathname, search } = new URL(context.req.url)
      const metrics = context.req.header(METRICS_HEADER)
      const request = { method: context.req.method, path: pathname + search, body, metrics }
      if (!(await verifySignature(keyOf(stamp.key), stamp, request))) refuse('signature')
      const state = nonces.remember(stamp.nonce, Number(stamp.time), now())
      if (state !== 'new') refuse(state)
    },
  }
}
