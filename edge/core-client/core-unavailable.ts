/** A core that gave no answer to a question, and whether it may have done what it was asked. */
import { ServiceError } from '../../core/contract/errors.ts'

/**
 * `lost`: nobody knows what became of the question. `unreached`: it never came there. `going`: core was told to stop, and
 * did nothing. `stranger`: core does not know by whom it was signed, and did nothing. `unavailable`: something that the question
 * needs is away.
 */
export type UnavailableReason = 'lost' | 'unreached' | 'going' | 'stranger' | 'unavailable'

/** What callers are told of it is SERVICE_UNAVAILABLE. */
export class CoreUnavailable extends ServiceError {
  readonly why: UnavailableReason

  constructor(how: UnavailableReason, cause?: unknown, detail: ServiceError['detail'] = {}) {
    super('SERVICE_UNAVAILABLE', detail, cause === undefined ? undefined : { cause })
    this.why = how
  }

  /** True when core surely did nothing: whatever was asked may be asked of another. */
  get notExecuted(): boolean {
    return this.why === 'unreached' || this.why === 'going' || this.why === 'stranger'
  }
}
