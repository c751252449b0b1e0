/** A sentence about something that failed, with a button to try again. */
import { sentenceOf } from '../connection/sentences.ts'
import { TEXTS } from '../texts.ts'

interface Properties {
  error: unknown
  onRetry?: () => void
}

export const Problem = ({ error, onRetry }: Properties) => (
  <div class="problem" role="alert">
    <p>{typeof error === 'string' ? error : sentenceOf(error)}</p>
    {onRetry && (
      <button type="button" class="quiet" onClick={onRetry}>
        {TEXTS.retry}
      </button>
    )}
  </div>
)
