/** Redocly's linter with all recommended rules, on the OpenAPI documents. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { documentPath } from '#commands/development/openapi.ts'
import { VERSIONS } from '#contract/operations/operation.ts'

const REDOCLY = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  '..',
  'node_modules',
  '@redocly',
  'cli',
  'bin',
  'cli.js',
)

/** Disables telemetry and the search for updates. */
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

it.each(VERSIONS)('the OpenAPI document of %s has no errors and no warnings', { tags: 'long' }, version => {
  const options = ['--extends', 'recommended-strict', '--format', 'json']
  const { stdout } = spawnSync(process.execPath, [REDOCLY, 'lint', documentPath(version), ...options], {
    encoding: 'utf8',
    env: { ...process.env, ...OFFLINE },
  })
  const { totals, problems } = JSON.parse(stdout)
  expect(problems).toEqual([])
  expect(totals).toMatchObject({ errors: 0, warnings: 0, ignored: 0 })
})
