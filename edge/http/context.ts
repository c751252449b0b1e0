/** Context of a request for the middleware, and the responses of the API. */
import type { Context } from 'hono'
import type { Caller, Version } from '../../contract/operations/operation.ts'
import type { ApiOperation } from '../../contract/operations/table.ts'
import type { Permit } from '../admission/admission.ts'
import type { StageEnded } from '../metrics.ts'

export interface Variables {
  requestId: string
  caller: Caller
  permit: Permit
  version: Version
  stageEnded: StageEnded
  /** Undefined for a request that names no operation. */
  operation: ApiOperation | undefined
  /** Faces found on the photos of the request; undefined without a photo. */
  faces: number | undefined
  /** Origin of links in the response. */
  origin: string
  /** Value of the header `X-Ignored-Parameters`; undefined without ignored parameters. */
  ignored: string | undefined
}

export type EdgeContext = Context<{ Variables: Variables }>

/** A path with one slash at its beginning. Clients make `//v1/faces` of a base URL with a slash at its end. */
export const withOneSlash = (path: string): string => path.replace(/^\/+/, '/')

/** A response with a JSON body in UTF-8. */
export const jsonResponse = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  })

export const noContent = (): Response => new Response(null, { status: 204 })
