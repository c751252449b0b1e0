/** A core that gave no answer to a question, and whether it may have done what it was asked. */
import { ServiceError } from '../core/contract/errors.ts'

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

/**
 * What Cloudflare answers in the place of a core that refused the connection, can't be found on the network, or could not agree on
 * TLS. Its other statuses (520, 522, 524, 530) may also come of a question that arrived.
 */
const UNREACHED = [521, 523, 525, 526]

/** Why an answer with this status that is not core's came. */
export const awayBy = (status: number, cause?: unknown): CoreAway =>
  new CoreAway(UNREACHED.includes(status) ? 'unreached' : 'lost', cause ?? new Error('Not core'))
