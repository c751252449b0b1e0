import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/global-service.ts',
    // Two cores: more workers than that only make real services time out.
    maxWorkers: 2,
    // See commands/child.ts: tests open and close many threads.
    execArgv: ['--no-wasm-code-gc'],
    // For what hangs: a slow machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
