/** Redocly's linter on the OpenAPI documents: the structure of OpenAPI 3.1, references, examples and all recommended rules. */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { documentText } from '#commands/development/openapi.ts'
import { VERSIONS } from '#contract/operations/operation.ts'

it.each(VERSIONS)(
  'the OpenAPI document of %s has no errors and no warnings',
  { tags: 'long' },
  async version => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const problems = await lintFromString({ source: documentText(version), config })
    expect(problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([])
  },
)
