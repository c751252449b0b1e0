/** Asynchronous work of a component: loads its content, runs actions of the visitor, and continues searches. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useService, useStore } from './service.ts'

export interface Task<T> {
  isRunning: boolean
  /** The last result. It stays while the task loads again, and goes when its inputs change. */
  value: T | undefined
  /** Why the last run failed. */
  error: unknown
  reload: () => void
}

const IDLE = { isRunning: false, value: undefined, error: undefined }

/**
 * Starts `run` when `inputs` change, and never while it is undefined. A change of `reloads` starts it again, too, and keeps the
 * value. Work that failed starts again when the connection is back. While the page is visible, work starts again `everyMs`
 * milliseconds after it has ended.
 */
export function useTask<T>(
  run: ((signal: AbortSignal) => Promise<T>) | undefined,
  inputs: readonly unknown[],
  reloads: readonly unknown[] = [],
  everyMs: (value: T | undefined) => number | undefined = () => undefined,
): Task<T> {
  const recoveries = useStore(useService().recoveries)
  const [attempt, setAttempt] = useState(0)
  const [task, setTask] = useState<Omit<Task<T>, 'reload'>>(IDLE)
  const reload = () => setAttempt(count => count + 1)
  useEffect(() => setTask(IDLE), inputs)
  useEffect(() => {
    if (!run) return
    const aborter = new AbortController()
    const { signal } = aborter
    setTask(({ value }) => ({ isRunning: true, value, error: undefined }))
    run(signal).then(
      value => !signal.aborted && setTask({ ...IDLE, value }),
      error => !signal.aborted && setTask(({ value }) => ({ isRunning: false, value, error })),
    )
    return () => aborter.abort()
  }, [...inputs, ...reloads, attempt])
  useEffect(() => {
    if (task.error !== undefined) reload()
  }, [recoveries])
  const pause = task.isRunning ? undefined : everyMs(task.value)
  useEffect(() => {
    if (pause === undefined) return
    const timer = setInterval(() => document.hidden || reload(), pause)
    return () => clearInterval(timer)
  }, [pause])
  return { ...task, reload }
}

export interface Action {
  isRunning: boolean
  /** True when the last run succeeded. */
  isDone: boolean
  /** Why the last run failed. */
  problem: unknown
  run: (work: () => Promise<unknown>) => Promise<void>
  /** Says why there is nothing to run; undefined forgets the last run. */
  refuse: (problem?: unknown) => void
}

let lastFocused: EventTarget | null = null
globalThis.addEventListener?.('focusin', ({ target }) => {
  lastFocused = target
})

/** The element that has the focus, or had it last: a button that is disabled during its work loses the focus. */
export const focusedElement = (): EventTarget | null =>
  document.activeElement === document.body ? lastFocused : document.activeElement

/** Something that the visitor starts. A button that starts it keeps the focus. */
export function useAction(): Action {
  const [state, setState] = useState<Omit<Action, 'run' | 'refuse'>>({
    isRunning: false,
    isDone: false,
    problem: undefined,
  })
  const starter = useRef<EventTarget | null>(null)
  useEffect(() => {
    const hasFocus = document.activeElement !== document.body
    if (!state.isRunning && !hasFocus && starter.current instanceof HTMLElement)
      starter.current.focus({ preventScroll: true })
  }, [state.isRunning])
  const set = (change: Partial<Action>) =>
    setState({ isRunning: false, isDone: false, problem: undefined, ...change })
  const run = async (work: () => Promise<unknown>) => {
    starter.current = focusedElement()
    set({ isRunning: true })
    try {
      await work()
      set({ isDone: true })
    } catch (problem) {
      set({ problem })
    }
  }
  return { ...state, run, refuse: problem => set({ problem }) }
}

/** Items of one step, and whether it was the last. */
export interface Step<T> {
  found: T[]
  isComplete: boolean
}

/** A search that finds some items at a time. */
export interface Search<T> {
  found: readonly T[]
  state: 'looking' | 'more' | 'complete' | 'failed'
  error: unknown
  /** Takes the next step. */
  look: () => void
}

/**
 * Begins a search when `inputs` change or the connection is back, and takes its first step. `begin` returns a function that takes
 * the next one.
 */
export function useSearch<T>(
  begin: (signal: AbortSignal) => () => Promise<Step<T>>,
  inputs: readonly unknown[],
): Search<T> {
  const recovered = useStore(useService().recoveries)
  const [found, setFound] = useState<readonly T[]>([])
  const [state, setState] = useState<Search<T>['state']>('looking')
  const [error, setError] = useState<unknown>()
  const [look, setLook] = useState<() => void>(() => () => undefined)
  useEffect(() => {
    const aborter = new AbortController()
    const next = begin(aborter.signal)
    const run = async () => {
      setState('looking')
      try {
        const step = await next()
        if (aborter.signal.aborted) return
        setFound(before => [...before, ...step.found])
        setState(step.isComplete ? 'complete' : 'more')
      } catch (cause) {
        if (aborter.signal.aborted) return
        setError(cause)
        setState('failed')
      }
    }
    setFound([])
    setLook(() => () => void run())
    void run()
    return () => aborter.abort()
  }, [...inputs, recovered])
  return { found, state, error, look }
}

/** A step of pages: reads at most `mostPages`, and stops after `enough` items. */
export async function stepOf<T>(
  pages: AsyncIterator<T[]>,
  enough: number,
  mostPages: number,
): Promise<Step<T>> {
  const found: T[] = []
  for (let i = 0; i < mostPages && found.length < enough; i++) {
    const page = await pages.next()
    if (page.done) return { found, isComplete: true }
    found.push(...page.value)
  }
  return { found, isComplete: false }
}
