/** Asynchronous work of a component: its state, aborted when the component goes or the work changes. */
import { useEffect, useState } from 'preact/hooks'

export type Task<T> =
  | { state: 'idle' }
  | { state: 'running' }
  | { state: 'done'; value: T }
  | { state: 'failed'; error: unknown }

/** Starts `run` when `inputs` change, and never while it is undefined. */
export function useTask<T>(
  run: ((signal: AbortSignal) => Promise<T>) | undefined,
  inputs: readonly unknown[],
): Task<T> {
  const [task, setTask] = useState<Task<T>>({ state: 'idle' })
  useEffect(() => {
    if (!run) return setTask({ state: 'idle' })
    const aborter = new AbortController()
    const { signal } = aborter
    setTask({ state: 'running' })
    run(signal).then(
      value => !signal.aborted && setTask({ state: 'done', value }),
      error => !signal.aborted && setTask({ state: 'failed', error }),
    )
    return () => aborter.abort()
  }, inputs)
  return task
}
