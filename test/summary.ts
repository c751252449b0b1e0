/** The end of a run: which tests were skipped and why, and the seed of the randomised tests. In CI, it ends a run that hangs. */
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

/** No file takes so long, but with the numbers of `npm run test:long`. The time limit of a test ends none that blocks its process. */
const LONGEST_FILE_MS = 20 * 60_000

process.env.MIEN_TEST_SEED ??= String(Date.now() % 2 ** 31)

export default class Summary implements Reporter {
  #vitest!: Vitest
  #timer: NodeJS.Timeout | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    this.onTestModuleEnd()
  }

  onTestModuleEnd(): void {
    clearTimeout(this.#timer)
    if (process.env.CI && !process.env.MIEN_SIMULATED_SEEDS)
      this.#timer = setTimeout(() => this.#giveUp(), LONGEST_FILE_MS)
  }

  #giveUp() {
    const modules = this.#vitest.state.getTestModules()
    const open = modules.filter(module => ['queued', 'pending'].includes(module.state()))
    process.stdout.write(
      `The run hangs. Unfinished files (without any: its setup or its end): ${open.map(module => module.relativeModuleId)}\n`,
    )
    process.exit(1)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // The service of the tests has not ended yet.
    this.onTestModuleEnd()
    this.#timer?.unref()
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
    if (this.#vitest.config.tagsFilter?.includes('!long') && tags.includes('long'))
      return 'long, npm run test:all runs them'
    const program = tags.find(tag => tag in PROGRAMS)
    return program && `no ${PROGRAMS[program]}`
  }
}
