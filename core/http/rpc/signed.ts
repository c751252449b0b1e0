/** Authenticates edges by a known key, a valid signature, a current time and a new nonce. Logs rejections. */
import type { Context, Next } from 'hono'
import { ServiceError } from '../../../contract/errors.ts'
import { RPC_LIMITS } from '../../../contract/limits/rpc.ts'
import { METRICS_HEADER } from '../../../contract/metrics.ts'
import {
  readSignature,
  type SigningKey,
  signatureRefusal,
  verifySignature,
} from '../../../contract/rpc/signature.ts'
import type { Log } from '../../log.ts'
import type { Nonces } from './nonces.ts'

/** Reason of a rejection, for the log only. The response contains only the error code. */
type RejectionReason = 'no stamp' | 'clock' | 'unknown key' | 'signature' | 'repeated' | 'forgotten' | 'full'

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
 * Two guards. `inTime` checks the headers before the body is read. `signed` checks the signature and the nonce with the body, and
 * returns the nonce.
 * Both throw AUTH_FAILED, and SERVICE_UNAVAILABLE when core cannot detect whether the request is a replay.
 */
export function signatureCheck({ keys, nonces, now, onRejected }: SignatureCheck) {
  const refuse = (why: RejectionReason): never => {
    onRejected(why)
    throw RETRYABLE.includes(why) ? new ServiceError('SERVICE_UNAVAILABLE') : signatureRefusal()
  }
  const stampOf = ({ req }: Context) => readSignature(name => req.header(name)) ?? refuse('no stamp')
  const keyOf = (id: string) => keys().find(key => key.id === id) ?? refuse('unknown key')

  return {
    async inTime(context: Context, next: Next) {
      const { key, time } = stampOf(context)
      if (Math.abs(now() - Number(time)) > RPC_LIMITS.signatureWindowMs) refuse('clock')
      if (!nonces.remembers(Number(time), now())) refuse('forgotten')
      keyOf(key)
      await next()
    },

    async signed(context: Context, body: Uint8Array<ArrayBuffer>) {
      const stamp = stampOf(context)
      const { pathname, search } = new URL(context.req.url)
      const metrics = context.req.header(METRICS_HEADER)
      const request = { method: context.req.method, path: pathname + search, body, metrics }
      if (!(await verifySignature(keyOf(stamp.key), stamp, request))) refuse('signature')
      const state = nonces.remember(stamp.nonce, Number(stamp.time), now())
      if (state !== 'new') refuse(state)
      return stamp.nonce
    },
  }
}

const SECRETS =
  'An edge signs with a secret that this core does not have. Set EDGE_SECRET (MIEN_EDGE_SECRET) of the edge to what ' +
  '`mien secrets show edge` prints here.'

/** Other reasons have no advice: an operator cannot fix them. */
const ADVICE: Partial<Record<RejectionReason, string>> = {
  'unknown key': SECRETS,
  signature: `${SECRETS} If it is the same, something between them changes requests: a proxy must pass path and body on as they are.`,
  clock: `The clocks of edge and core differ by more than ${RPC_LIMITS.signatureWindowMs / 1000} s. Synchronise both, for example by NTP.`,
}

/** Writes one line per rejection. The advice for a reason is repeated after RPC_LIMITS.trustAdviceMs at the earliest. */
export function rejectionLog(log: Log, now: () => number): (why: RejectionReason) => void {
  const lastAdvice = new Map<RejectionReason, number>()
  return why => {
    const advice = ADVICE[why]
    const last = lastAdvice.get(why)
    const isDue = last === undefined || now() - last >= RPC_LIMITS.trustAdviceMs
    if (advice === undefined || !isDue) return log('signature rejected', { why })
    lastAdvice.set(why, now())
    log('signature rejected', { why, advice })
  }
}
