import { spawnSync } from 'node:child_process'
import { inject } from 'vitest'
import { SAMPLES } from '#test/support/client.ts'
import { newToken } from '#test/support/tokens.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { blocksOf } from './samples.ts'

/** Comments at the ends of commands: a part of their output. */
const promisedParts = (code: string): string[] =>
  code.split('\n').flatMap(line => / # (.*)$/.exec(line)?.[1] ?? [])

describe('the page of ten tasks', { tags: 'long' }, () => {
  it('has curl commands that succeed and print what they promise, in order', async () => {
    const code = (await blocksOf('docs/tasks.md', 'sh')).join('\n')
    const { stdout, stderr, status } = spawnSync('bash', ['-euo', 'pipefail', '-s'], {
      input: code,
      encoding: 'utf8',
      cwd: SAMPLES,
      env: {
        PATH: process.env.PATH,
        HOME: await temporaryFolder(),
        MIEN_URL: inject('edge'),
        MIEN_TOKEN: newToken(inject('data'), 'curl samples'),
      },
    })
    // The last command is refused on purpose.
    expect(stderr).toMatch(/^curl: \(22\) .* 400\n$/)
    expect(status).toBe(0)
    const parts = promisedParts(code)
    expect(parts.length).toBeGreaterThan(10)
    let rest = stdout
    for (const part of parts) {
      expect(rest).toContain(part)
      rest = rest.slice(rest.indexOf(part) + part.length)
    }
  })
})
