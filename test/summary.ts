/** The end of a run: which tests were skipped and why, and the seed of the randomised tests. */
import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** Tags of tests that need a program or a right, which a machine may lack. */
export const PROGRAMS: Record<string, string> = {
  chromium: 'Chromium',
  ffmpeg: 'ffmpeg',
  jinja: 'Jinja for Python',
  mosquitto: 'mosquitto or jq',
  mount: 'right to mount a file system in memory',
  mypy: 'mypy',
  nginx: 'nginx',
  prometheus: 'Prometheus',
  python: 'requests for Python',
  released: 'commit of the last release',
  swift: 'Swift',
  systemd: 'systemd-analyze',
}

process.env.MIEN_TEST_SEED ??= String(Date.now() % 2 ** 31)

export default class Summary implements Reporter {
  #withoutLong = false

  onInit(vitest: Vitest): void {
    this.#withoutLong = vitest.config.tagsFilter?.includes('!long') ?? false
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>()
    for (const module of modules)
      for (const test of module.children.allTests('skipped')) {
        const reason = this.#reasonOf(test.tags) ?? `see skipIf in ${module.relativeModuleId}`
        counts.set(reason, (counts.get(reason) ?? 0) + 1)
      }
    for (const [reason, count] of counts)
      process.stdout.write(`${count} ${count === 1 ? 'test' : 'tests'} skipped: ${reason}\n`)
    process.stdout.write(
      `Seed of the randomised tests: ${process.env.MIEN_TEST_SEED}. The variable MIEN_TEST_SEED repeats it.\n`,
    )
  }

  #reasonOf(tags: readonly string[]): string | undefined {
    if (this.#withoutLong && tags.includes('long')) return 'long, npm run test:all runs them'
    const program = tags.find(tag => tag in PROGRAMS)
    return program && `no ${PROGRAMS[program]}`
  }
}
