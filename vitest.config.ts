import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { PROGRAMS } from './test/summary.ts'

// Node keeps the compiled sources of the many processes and threads that tests start: a quarter of their CPU time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'node')

/** A file system in memory, where a durable write takes microseconds. */
const MEMORY = '/dev/shm'

// Tests write many small files durably, and a disk takes milliseconds for each. A run needs about 2 GB.
if (process.env.TMPDIR === undefined && existsSync(MEMORY)) {
  const { bavail, bsize } = statfsSync(MEMORY)
  if (bavail * bsize > 8 * 2 ** 30) {
    const folder = mkdtempSync(join(MEMORY, 'mien-tests-'))
    process.env.TMPDIR = folder
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  }
}

/** Files that take long by themselves. At the end of a run, the other workers would wait for them. */
const LONGEST =
  /simulation\/\w+\.test\.ts$|(commands\/(release|start)|documentation|camera\/(recording|stream|watch|several-watchers)|accessibility|killed-core|primary-pool)\.test\.ts$/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLongest = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId)
    return [...sorted.filter(isLongest), ...sorted.filter(file => !isLongest(file))]
  }
}

/** commands/processes/child.ts explains the flags: tests open and close many threads. */
const execArgv = ['--no-wasm-code-gc', '--import=./commands/processes/preload.ts']

const realProcesses = {
  execArgv,
  // They miss their deadlines on a machine whose host takes the CPU away. A wrong test fails twice.
  retry: process.env.CI ? 1 : 0,
  // A slow machine is no failure. The timeout catches a hang.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
}

export default defineConfig({
  test: {
    // One more than the two cores of CI: many tests wait for processes and time limits.
    maxWorkers: 3,
    // A process runs many files, and imports what they share once.
    isolate: false,
    // describe, expect, it and the hooks need no import.
    globals: true,
    // Node runs the sources as it runs the service, and keeps them compiled. Vite would transform them again in each run.
    experimental: { viteModuleRunner: false },
    reporters: ['default', './test/summary.ts'],
    setupFiles: ['./test/seed.ts', './test/matchers.ts'],
    sequence: { sequencer: LongestFirst },
    tags: [
      { name: 'long', description: 'Takes seconds, or needs a program. Runs in npm run test:all only.' },
      {
        name: 'kills',
        description: 'Breaks something at a random moment, MIEN_KILL_ROUNDS times.',
        repeats: Number(process.env.MIEN_KILL_ROUNDS ?? 1) - 1,
      },
      ...Object.entries(PROGRAMS).map(([name, program]) => ({ name, description: `Needs ${program}.` })),
    ],
    projects: [
      {
        // Mirrors the sources. Needs no running service.
        test: {
          name: 'unit',
          include: ['test/{unit,simulation}/**/*.test.ts'],
          execArgv,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        // Starts the service, other processes, or many networks.
        test: {
          name: 'service',
          include: ['test/{service,contract,recovery}/**/*.test.ts'],
          globalSetup: 'test/global-service.ts',
          ...realProcesses,
        },
      },
    ],
  },
})
