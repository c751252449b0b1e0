/** The error for a request that core did not complete; states whether core may have executed the request. */
import { ServiceError } from '../../contract/errors.ts'

/**
 * - `lost`: no valid response arrived. Core may have executed the request.
 * - `unreached`: the request did not reach core.
 * - `going`: core is draining and did not execute the request.
 * - `stranger`: core rejected the signature and did not execute the request.
 * - `older`: core is of an earlier version and did not understand the request.
 * - `unavailable`: core refused with SERVICE_UNAVAILABLE, for example because a shard is unavailable.
 */
export type UnavailableReason = 'lost' | 'unreached' | 'going' | 'stranger' | 'older' | 'unavailable'

/** API callers receive SERVICE_UNAVAILABLE. */
export class CoreUnavailable extends ServiceError {
  readonly why: UnavailableReason

  constructor(reason: UnavailableReason, cause?: unknown, detail: ServiceError['detail'] = {}) {
    super('SERVICE_UNAVAILABLE', detail, cause === undefined ? undefined : { cause })
    this.why = reason
  }

  /** True when core did not execute the request. Any request may then be sent to another core. */
  get notExecuted(): boolean {
    return this.why === 'unreached' || this.why === 'going' || this.why === 'stranger'
  }
}
