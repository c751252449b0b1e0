/** GET /docs and what is below: the API's documents, and the pages to try it out. Open to everybody. */
import { Hono } from 'hono'
import { ServiceError } from '../../core/contract/errors.ts'
import type { EdgeServices } from '../deps.ts'
import { GET } from '../http/methods.ts'
import { documentOf, type OpenapiDocument } from '../openapi/document.ts'
import { PAGE_HEADERS, pageFiles } from '../openapi/swagger-page.ts'
import { answer, type Variables, VERSIONS, type Version } from './route.ts'
import { OPERATIONS } from './table.ts'

/** How far each version is, in the contract's words. */
const STATUS: Record<Version, string> = { v0: 'stable', v1: 'beta' }

/** Below `/docs`. A document is made when it is first asked for. */
export function documentRoutes({ swaggerUi }: Pick<EdgeServices, 'swaggerUi'>) {
  const documents = new Map<Version, OpenapiDocument>()
  const documentFor = (version: Version): OpenapiDocument => {
    const document = documents.get(version) ?? documentOf(version, OPERATIONS)
    documents.set(version, document)
    return document
  }

  const docs = new Hono<{ Variables: Variables }>({ strict: false })
  docs.get('/', context =>
    answer({ results: VERSIONS.map(version => entryOf(version, context.get('origin'))) }),
  )
  docs.get('/:version', ({ req }) => answer(documentFor(known(req.param('version')))))
  docs.get('/:version/:file', ({ req }) => {
    const file = pageFiles(known(req.param('version')), swaggerUi).get(req.param('file'))
    if (!file) throw new ServiceError('NOT_FOUND')
    return new Response(file.content, {
      headers: { ...PAGE_HEADERS, 'content-type': `${file.type}; charset=utf-8` },
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

function known(text: string): Version {
  const version = VERSIONS.find(one => one === text)
  if (!version) throw new ServiceError('NOT_FOUND')
  return version
}
