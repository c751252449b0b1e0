/** Texts of a page while something loads, fails or is empty. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { sentenceOf, store, useService, useStore } from '../connection/service.ts'
import type { Search, Task } from '../connection/task.ts'
import { TEXTS } from '../texts.ts'

/** A sentence about something that failed. Nothing without an error. `isLoad`: the page loads it again with the connection. */
export const Problem = ({ error, isLoad = false }: { error: unknown; isLoad?: boolean }) => {
  if (error === undefined) return null
  const text = typeof error === 'string' ? error : sentenceOf(error)
  return isLoad ? <FailedLoad key={text} text={text} /> : <Note text={text} />
}

const Note = ({ text, children }: { text: string; children?: ComponentChildren }) => (
  <div class="row note problem" role="alert">
    <p>{text}</p>
    {children}
  </div>
)

/** The failed loads of the page. */
const failed = store<readonly { text: string }[]>([])

/** Of failed loads with one sentence, the first says it. Its button loads all again. */
function FailedLoad({ text }: { text: string }) {
  const { recoveries } = useService()
  const [own] = useState({ text })
  const first = useStore(failed).find(load => load.text === text)
  useLayoutEffect(() => {
    failed.set([...failed.get(), own])
    return () => failed.set(failed.get().filter(load => load !== own))
  }, [])
  if (first !== own) return null
  return (
    <Note text={text}>
      <button type="button" class="quiet" onClick={() => recoveries.set(recoveries.get() + 1)}>
        {TEXTS.retry}
      </button>
    </Note>
  )
}

/** A line about the progress of the page. Screen readers read it out. */
export const Status = ({ text = TEXTS.loading }: { text?: string }) => (
  <p class="row muted status" role="status">
    <span class="dots" aria-hidden="true" />
    {text}
  </p>
)

interface Properties<T> {
  task: Task<T>
  /** Text while the page loads. */
  loading?: string
  /** Text of an empty list. */
  empty?: string
  children?: (value: T) => ComponentChildren
}

/** The value of a task; before that, its state. A value that loads again stays. */
export const Loaded = <T,>({ task, loading, empty, children }: Properties<T>) => {
  const { isRunning, value, error } = task
  const isEmpty = empty !== undefined && Array.isArray(value) && value.length === 0
  return (
    <>
      {isRunning && value === undefined && <Status text={loading ?? TEXTS.loading} />}
      <Problem error={error} isLoad />
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

/** The state of a search below its results, with a button that continues it. */
export const Searched = ({ search: { state, error, look }, isEmpty, texts }: SearchedProperties) => (
  <>
    {state === 'looking' && <Status text={texts.looking} />}
    {state === 'failed' && <Problem error={error} isLoad />}
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
