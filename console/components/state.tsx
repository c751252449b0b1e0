/** What a page says while something loads, fails or is empty. */
import type { ComponentChildren } from 'preact'
import { sentenceOf } from '../connection/service.ts'
import type { Search, Task } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'

/** A sentence about something that failed, with a button to try again. Nothing without an error. */
export const Problem = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) =>
  error === undefined ? null : (
    <div class="row note problem" role="alert">
      <p>{typeof error === 'string' ? error : sentenceOf(error)}</p>
      {onRetry && (
        <button type="button" class="quiet" onClick={onRetry}>
          {TEXTS.retry}
        </button>
      )}
    </div>
  )

/** A line that says what the page is doing. Screen readers read it out. */
export const Status = ({ text = TEXTS.loading }: { text?: string }) => (
  <p class="row muted status" role="status">
    <span class="dots" aria-hidden="true" />
    {text}
  </p>
)

interface Properties<T> {
  task: Task<T>
  /** What the page says while it loads. */
  loading?: string
  /** What the page says about an empty list. */
  empty?: string
  children?: (value: T) => ComponentChildren
}

/** The value of a task; before that, its state. A value that loads again stays. */
export const Loaded = <T,>({ task, loading, empty, children }: Properties<T>) => {
  const { isRunning, value, error, reload } = task
  const isEmpty = empty !== undefined && Array.isArray(value) && value.length === 0
  return (
    <>
      {isRunning && value === undefined && <Status text={loading ?? TEXTS.loading} />}
      <Problem error={error} onRetry={reload} />
      {isEmpty && <p class="empty">{empty}</p>}
      {!isEmpty && value !== undefined && children?.(value)}
    </>
  )
}

interface SearchedProperties {
  search: Search<unknown>
  /** True when nothing that was found is shown. */
  isEmpty: boolean
  texts: {
    looking: string
    /** Nothing was found at all, and nothing in the steps so far. */
    none: string
    noneYet: string
    more: string
  }
}

/** The state of a search below what it has found, with a button that continues it. */
export const Searched = ({ search: { state, error, look }, isEmpty, texts }: SearchedProperties) => (
  <>
    {state === 'looking' && <Status text={texts.looking} />}
    {state === 'failed' && <Problem error={error} onRetry={look} />}
    {(state === 'complete' || state === 'more') && isEmpty && (
      <p class="empty">{state === 'complete' ? texts.none : texts.noneYet}</p>
    )}
    {state === 'more' && (
      <button type="button" class="quiet" onClick={look}>
        {texts.more}
      </button>
    )}
  </>
)
