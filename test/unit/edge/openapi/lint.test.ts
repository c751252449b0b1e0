/** Redocly's linter on the OpenAPI documents: the structure of OpenAPI 3.1, references, examples and all recommended rules. */
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { documentText } from '#commands/development/openapi.ts'
import { VERSIONS } from '#contract/operations/operation.ts'
import { temporaryFolder } from '../../core/folder.ts'

const REDOCLY = join(import.meta.dirname, '../../../../node_modules/@redocly/cli/bin/cli.js')

/** Disables telemetry and the search for updates. */
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

it('the OpenAPI documents have no errors and no warnings', { tags: 'long' }, async () => {
  const folder = await temporaryFolder()
  const documents = VERSIONS.map(version => [join(folder, `${version}.json`), documentText(version)] as const)
  for (const [path, text] of documents) await writeFile(path, text)
  const options = ['--extends', 'recommended-strict', '--format', 'stylish']
  const { status, stdout } = spawnSync(
    process.execPath,
    [REDOCLY, 'lint', ...documents.map(([path]) => path), ...options],
    { encoding: 'utf8', env: { ...process.env, ...OFFLINE } },
  )
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
})
