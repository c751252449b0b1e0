/** Runs test files inside workerd with Vitest's own runner. The bundle of `test/service/edge/workerd.test.ts` contains this file. */
import type { RunnerTask, TestError } from 'vitest'
import { setSafeTimers, startTests } from 'vitest/internal/browser'

/** Name of a test file and the import of it. The file is evaluated within a request, where timers are allowed. */
type TestFiles = Record<string, () => Promise<unknown>>

/** A test, or a failed suite or file. */
export interface Outcome {
  file: string
  /** Names of its suites and its own, with ` > ` between them. */
  name: string
  tags: string[]
  isSkipped: boolean
  error?: TestError
}

const CONFIG = {
  root: '/',
  setupFiles: [],
  sequence: { hooks: 'stack', setupFiles: 'list' },
  tags: [],
  allowOnly: false,
  testTimeout: 30_000,
  hookTimeout: 30_000,
  snapshotOptions: {},
}

/** Runs the files in sequence. Outcomes are in the order of the tests. */
export async function runInWorkerd(files: TestFiles): Promise<Outcome[]> {
  // The state of a process of Vitest: `expect` reads the settings from it.
  Object.assign(globalThis, { __vitest_worker__: { config: CONFIG, providedContext: {}, ctx: {} } })
  Object.assign(globalThis, await import('vitest'))
  await import('../../matchers.ts')
  // The runner keeps these timers while a test has fake ones.
  setSafeTimers()
  const runner = { config: CONFIG, importFile: (name: string) => files[name]!() }
  const tasks = await startTests(Object.keys(files), runner as unknown as Parameters<typeof startTests>[1])
  return tasks.flatMap(task => outcomesOf(task))
}

function outcomesOf(task: RunnerTask, suites: readonly string[] = []): Outcome[] {
  const names = task.type === 'suite' && task.file === task ? [] : [...suites, task.name]
  const inner = task.type === 'suite' ? task.tasks.flatMap(one => outcomesOf(one, names)) : []
  const error = task.result?.errors?.[0]
  if (task.type === 'suite' && !error) return inner
  const isSkipped = task.mode === 'skip' || task.mode === 'todo'
  const name = names.join(' > ') || 'the file'
  return [{ file: task.file.name, name, tags: task.tags ?? [], isSkipped, ...(error && { error }) }, ...inner]
}
