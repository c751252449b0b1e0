import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Node keeps the compiled sources of the many processes and threads that tests start: a quarter of their CPU time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'node')

/** commands/service/child.ts explains the flags: tests open and close many threads. */
const execArgv = ['--no-wasm-code-gc', '--import=./commands/service/drizzle-resolution.ts']

export default defineConfig({
  test: {
    // One more than the two cores of CI: many tests wait for processes and time limits.
    maxWorkers: 3,
    projects: [
      {
        // Mirrors the sources. Needs no running service.
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
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
          execArgv,
          // Real processes miss their deadlines on a machine whose host takes the CPU away. A wrong test fails twice.
          retry: process.env.CI ? 1 : 0,
          // A slow machine is no failure. The timeout catches a hang.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
