/** Asynchronous work of a component: its state, aborted when the component goes or the work changes. */
import { useEffect, useState } from 'preact/hooks'
import { useService } from './context.ts'
import { useStore } from './store.ts'

export type Task<T> =
  | { state: 'idle' }
  | { state: 'running' }
  | { state: 'done'; value: T }
  | { state: 'failed'; error: unknown; retry: () => void }

/** Starts `run` when `inputs` change, and never while it is undefined. Work that failed starts again when the connection is back. */
export function useTask<T>(
  run: ((signal: AbortSignal) => Promise<T>) | undefined,
  inputs: readonly unknown[],
): Task<T> {
  const recoveries = useStore(useService().recoveries)
  const [attempt, setAttempt] = useState(0)
  const [task, setTask] = useState<Task<T>>({ state: 'idle' })
  const retry = () => setAttempt(count => count + 1)
  useEffect(() => {
    if (!run) return setTask({ state: 'idle' })
    const aborter = new AbortController()
    const { signal } = aborter
    setTask({ state: 'running' })
    run(signal).then(
      value => !signal.aborted && setTask({ state: 'done', value }),
      error => !signal.aborted && setTask({ state: 'failed', error, retry }),
    )
    return () => aborter.abort()
  }, [...inputs, attempt])
  useEffect(() => {
    if (task.state === 'failed') retry()
  }, [recoveries])
  return task
}
