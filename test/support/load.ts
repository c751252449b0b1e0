/** Load on a service during a test: tasks that repeat at the same time until the test ends. */
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

export interface Load {
  /** Resolves when the condition holds. Rejects with the error of a task that failed. */
  until(condition: () => boolean): Promise<void>
  /** Resolves when the last run of each task has ended. Rejects with the first error of a task. */
  stop(): Promise<void>
}

/** Repeats each task, one run after the other. A task ends with its first error. The end of the test stops the load. */
export function startLoad(tasks: readonly (() => Promise<void>)[]): Load {
  const errors: unknown[] = []
  let stopped = false
  const repeat = async (task: () => Promise<void>): Promise<void> => {
    try {
      while (!stopped) await task()
    } catch (error) {
      errors.push(error)
    }
  }
  const ended = Promise.all(tasks.map(repeat))
  const stop = async (): Promise<void> => {
    stopped = true
    await ended
  }
  const throwFirst = (): void => {
    if (errors.length > 0) throw errors[0]
  }
  onTestFinished(stop)
  return {
    async until(condition) {
      while (!condition()) {
        throwFirst()
        await sleep(20)
      }
    },
    async stop() {
      await stop()
      throwFirst()
    },
  }
}
