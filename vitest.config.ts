import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Node keeps the compiled sources of the many processes and threads that tests start: a quarter of their CPU time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'node')

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/global-service.ts',
    // One more than the two cores of CI: many tests wait for processes and time limits.
    maxWorkers: 3,
    // See commands/service/child.ts: tests open and close many threads.
    execArgv: ['--no-wasm-code-gc', '--import=./commands/service/drizzle-resolution.ts'],
    // Real processes miss their deadlines on a machine whose host takes the CPU away. A test that is wrong fails twice.
    retry: process.env.CI ? 1 : 0,
    // For what hangs: a slow machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
