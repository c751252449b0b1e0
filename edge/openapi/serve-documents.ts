/** GET /docs and its subpaths: OpenAPI documents and interactive pages, without authentication. */
import { Hono } from 'hono'
import { ServiceError } from '../../contract/errors.ts'
import { VERSIONS, type Version } from '../../contract/operations/operation.ts'
import { OPERATIONS } from '../../contract/operations/table.ts'
import type { EdgeServices } from '../edge-services.ts'
import { textResponses } from '../http/compressed.ts'
import { jsonResponse, type Variables } from '../http/context.ts'
import { GET } from '../http/methods.ts'
import { documentOf, type OpenapiDocument } from './build-document.ts'
import { PAGE_HEADERS, pageFiles } from './swagger-page.ts'

/** Maturity of each version, in the terms of the API contract. */
const STATUS: Record<Version, string> = { v0: 'stable', v1: 'beta' }

/** Routes below `/docs`. Documents are generated on first use. */
export function documentRoutes({ swaggerUi }: Pick<EdgeServices, 'swaggerUi'>) {
  const documents = new Map<Version, OpenapiDocument>()
  const documentFor = (version: Version): OpenapiDocument => {
    const document = documents.get(version) ?? documentOf(version, OPERATIONS)
    documents.set(version, document)
    return document
  }

  const textResponse = textResponses()
  const docs = new Hono<{ Variables: Variables }>({ strict: false })
  docs.get('/', context =>
    jsonResponse({ results: VERSIONS.map(version => entryOf(version, context.get('origin'))) }),
  )
  docs.get('/:version', ({ req }) => jsonResponse(documentFor(versionOf(req.param('version')))))
  docs.get('/:version/:file', context => {
    const { req } = context
    const file = pageFiles(versionOf(req.param('version')), swaggerUi).get(req.param('file'))
    if (!file) throw new ServiceError('NOT_FOUND')
    return textResponse(context, file.content, {
      ...PAGE_HEADERS,
      'content-type': `${file.type}; charset=utf-8`,
    })
  })
  for (const path of ['/', '/:version', '/:version/:file'])
    docs.all(path, () => {
      throw new ServiceError('METHOD_NOT_ALLOWED', { allow: GET })
    })
  return docs
}

const entryOf = (version: Version, origin: string) => ({
  version,
  status: STATUS[version],
  overview: `${origin}/${version}/docs/${version}/overview.html`,
  openapi: `${origin}/docs/${version}`,
})

function versionOf(text: string): Version {
  const version = VERSIONS.find(one => one === text)
  if (!version) throw new ServiceError('NOT_FOUND')
  return version
}
