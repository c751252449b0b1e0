/** The OpenAPI documents: up to date, complete, and without an objection of a linter. */
import { readFile } from 'node:fs/promises'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { DOCUMENT_PATH } from '#commands/build/assets.ts'
import { documentText } from '#commands/development/openapi.ts'
import { AlertMessageSchema } from '#contract/model/alert.ts'
import { VERSIONS, type Version } from '#contract/operations/operation.ts'
import { OPERATIONS } from '#contract/operations/table.ts'
import { overriddenParameters } from '#contract/parameters/json-schema.ts'
import { createApp } from '#edge/app.ts'
import type { EdgeServices } from '#edge/edge-services.ts'
import { documentOf, type OpenapiDocument } from '#edge/openapi/build-document.ts'

/** Names of parameters that are files. */
const UPLOAD = /^(photo|picture$|snapshot$|clip$|piece$)/

const PHOTO_OPERATIONS = OPERATIONS.filter(({ parameters }) =>
  Object.keys(parameters.shape).some(name => UPLOAD.test(name)),
).map(({ name }) => name)

interface Content {
  schema: { properties: Record<string, { format?: string }> }
}

/** For each operation of the document: parameters, request body and responses. */
const requestsOf = (document: OpenapiDocument) =>
  Object.values(document.paths)
    .flatMap(operations => Object.values(operations))
    .map(({ operationId, requestBody, parameters, responses }) => {
      const { content, description } = (requestBody ?? {}) as {
        content: Record<string, Content>
        description: string
      }
      const namesIn = (place: string) =>
        (parameters as { name: string; in: string }[])
          .filter(parameter => parameter.in === place)
          .map(({ name }) => name)
      return {
        name: operationId as string,
        content,
        description,
        query: namesIn('query'),
        responses: responses as object,
      }
    })

it('the document of v1 matches the file in docs/openapi that `npm run openapi` writes', async () => {
  expect(await readFile(DOCUMENT_PATH, 'utf8')).toBe(documentText('v1'))
})

describe.each(VERSIONS)('the document of %s', version => {
  const document = documentOf(version, OPERATIONS)

  it('describes messages to webhooks, with an example', () => {
    const { webhooks } = document as unknown as {
      webhooks: {
        alert: { post: { requestBody: { content: Record<string, { schema: unknown; example: unknown }> } } }
      }
    }
    const { schema, example } = webhooks.alert.post.requestBody.content['application/json']!
    expect(schema).toEqual({ $ref: '#/components/schemas/AlertMessage' })
    expect(AlertMessageSchema.parse(example)).toEqual(example)
    expect(document).toMatchObject({
      components: { schemas: { AlertMessage: { required: ['type', 'timestamp', 'data'] } } },
    })
  })

  it('describes a photo as a file in multipart/form-data only', () => {
    const uploads = requestsOf(document).filter(({ content }) =>
      JSON.stringify(content ?? {}).includes('"binary"'),
    )
    expect(uploads.map(({ name }) => name).sort()).toEqual(PHOTO_OPERATIONS.sort())
    for (const { content, description } of uploads) {
      expect(Object.keys(content)).toEqual(['multipart/form-data'])
      expect(description).toContain('URL of a photo')
      for (const [name, field] of Object.entries(content['multipart/form-data']?.schema.properties ?? {}))
        expect(field.format === 'binary', name).toBe(UPLOAD.test(name))
    }
  })

  it('repeats no body field as a query parameter', () => {
    for (const { name, content, query } of requestsOf(document))
      if (content !== undefined) expect(query, name).toEqual([])
  })

  it('describes errors of the client and of the server for every operation', () => {
    for (const { name, responses } of requestsOf(document))
      for (const status of ['400', '401', '403', '429', '500', '503'])
        expect(Object.keys(responses), name).toContain(status)
  })

  it('describes every served route, aliases included', () => {
    const prefix = new RegExp(`^/${version}(?=/)`)
    const served = createApp({} as EdgeServices)
      .routes.filter(({ method, path }) => method !== 'ALL' && prefix.test(path))
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(prefix, '')}`)
      .filter(route => !/^get \/docs(\/|$)/.test(route))
    const told = OPERATIONS.flatMap(({ method, path, aliases = [] }) =>
      [path, ...aliases].map(one => `${method} ${one}`),
    )
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map(method => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    )
    expect(served.sort()).toEqual(told.sort())
    expect(described.sort()).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort())
  })
})

describe('the OpenAPI documents', () => {
  it('show examples and defaults that the service accepts', () => {
    for (const { name, parameters } of OPERATIONS)
      for (const [field, written] of Object.entries(overriddenParameters(parameters).properties)) {
        const shown = [
          ...((written.examples as unknown[]) ?? []),
          ...('default' in written ? [written.default] : []),
        ]
        for (const value of shown)
          expect(parameters.shape[field]?.safeParse(value).success, `${name}: ${field}`).toBe(true)
      }
  })

  it('describe gender, age and emotions only in v1', () => {
    const detect = (version: Version) => JSON.stringify(documentOf(version, OPERATIONS).paths['/detect'])
    expect(detect('v0')).not.toContain('"gender"')
    expect(detect('v1')).toContain('"gender"')
  })
})

it.each(VERSIONS)(
  'the OpenAPI document of %s has no errors and no warnings',
  { tags: 'long' },
  async version => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const problems = await lintFromString({ source: documentText(version), config })
    expect(problems.map(({ message, location }) => `${location[0]?.pointer}: ${message}`)).toEqual([])
  },
)
