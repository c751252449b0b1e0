/** A core that gave no answer to a question, and whether it may have done what it was asked. */
import { ServiceError } from '../../core/contract/errors.ts'

/**
 * `lost`: nobody knows what became of the question. `unreached`: it never came there. `going`: core was told to stop, and
 * did nothing. `stranger`: core does not know by whom it was signed, and did nothing. `unavailable`: something that the question
 * needs is away.
 */
export type Away = 'lost' | 'unreached' | 'going' | 'stranger' | 'unavailable'

/** What callers are told of it is SERVICE_UNAVAILABLE. */
export class CoreAway extends ServiceError {
  readonly how: Away

  constructor(how: Away, cause?: unknown, detail: ServiceError['detail'] = {}) {
    super('SERVICE_UNAVAILABLE', detail, cause === undefined ? undefined : { cause })
    this.how = how
  }

  /** True when core surely did nothing: whatever was asked may be asked of another. */
  get isUndone(): boolean {
    return this.how === 'unreached' || this.how === 'going' || this.how === 'stranger'
  }
}
