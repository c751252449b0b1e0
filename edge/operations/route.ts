/** The common steps of every operation: read and validate parameters, run the handler, build the response. */
import type { Context } from 'hono'
import type * as z from 'zod'
import { ServiceError, unexpected } from '../../contract/errors.ts'
import type { ApiOperation } from '../../contract/metrics.ts'
import { ATTRIBUTES } from '../../contract/model/attributes.ts'
import type { PhotoAnalysis } from '../../wasm/pipeline.ts'
import type { Permit } from '../admission/admission.ts'
import type { Caller } from '../admission/tokens.ts'
import type { RequestIds } from '../core-client/core-client.ts'
import { Upload } from '../http/encodings/upload.ts'
import { ignoredHeader, withMeantName } from '../http/ignored-parameters.ts'
import { linkPath } from '../http/links.ts'
import { knownParameters, without } from '../parameters/known-parameters.ts'
import { type ParsedParameters, readParameters } from '../parameters/read-parameters.ts'
import type { StageEnded } from '../traces.ts'

export const VERSIONS = ['v0', 'v1'] as const

/** API version. Paths without a version belong to `v1`. */
export type Version = (typeof VERSIONS)[number]

export interface Variables {
  requestId: string
  caller: Caller
  permit: Permit
  version: Version
  /** Header `traceparent` for requests to core; undefined without a trace. */
  traceparent: string | undefined
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

export interface OperationCall<P> {
  caller: Caller
  params: P
  version: Version
  origin: string
  ids: RequestIds
  stageEnded: StageEnded
  /** Path of the request without its query. Links to other pages start with it. */
  path: string
  header(name: string): string | undefined
  /** Value of a path parameter's name in the query or the body. The path takes precedence. */
  outsidePath(name: string): unknown
  /** Adds the faces of a photo to the log line of the request. */
  countFaces(analysis: Pick<PhotoAnalysis, 'faces'>): void
}

/** The parameters of an operation. */
interface RouteDescription<S> {
  parameters: S
  unused?: readonly string[]
}

/** A Hono handler for one operation. Path parameters take precedence over the body, and the body over the query. */
export function route<S extends z.ZodObject>(
  { parameters: schema, unused }: RouteDescription<S>,
  handle: (call: OperationCall<z.output<S>>) => Promise<Response>,
) {
  const known = knownParameters(schema, unused)
  const knownIn = { v0: without(known, ATTRIBUTES), v1: known }
  const onlyInV1 = new Set(ATTRIBUTES.filter(name => known.kinds.has(name)))
  return async (context: EdgeContext): Promise<Response> => {
    const version = context.get('version')
    const inPath = context.req.param()
    const { kinds } = knownIn[version]
    const read = await readParameters(context.req.raw, context.get('permit'), knownIn[version])
    const { parameters, fromFiles } = read
    const nameable = [...kinds.keys()].filter(name => !(name in inPath))
    context.set('ignored', ignoredHeader(read.unknown, { known: nameable, onlyInV1 }))
    const params = validated(schema, { ...parameters, ...inPath }, read)
    try {
      return await handle({
        caller: context.get('caller'),
        params,
        version,
        origin: context.get('origin'),
        ids: { requestId: context.get('requestId'), traceparent: context.get('traceparent') },
        stageEnded: context.get('stageEnded'),
        path: linkPath(context.req.raw),
        header: name => context.req.header(name),
        outsidePath: name => parameters[name],
        countFaces: ({ faces }) => context.set('faces', (context.get('faces') ?? 0) + faces.length),
      })
    } catch (error) {
      throw withoutFiles(withMeantName(error, read.unknown), fromFiles)
    }
  }
}

/** The validated parameters. Throws BAD_PARAM for the first invalid parameter. */
function validated<S extends z.ZodObject>(
  schema: S,
  sent: Record<string, unknown>,
  { fromFiles, unknown }: Pick<ParsedParameters, 'fromFiles' | 'unknown'>,
): z.output<S> {
  // Fields supply their own phrases. This default hides the validator's messages from callers.
  const parsed = schema.safeParse(sent, { error: () => 'another value' })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const param = String(issue?.path[0] ?? '')
  const value = fromFiles.has(param) ? new Upload(new Uint8Array(), '') : sent[param]
  throw withMeantName(unexpected(param, value, issue?.message ?? ''), unknown)
}

/** Removes the text of an uploaded file from an error about its parameter. */
function withoutFiles(error: unknown, fromFiles: ReadonlySet<string>): unknown {
  if (!(error instanceof ServiceError) || !fromFiles.has(error.detail.param ?? '')) return error
  const { param = '' } = error.detail
  const reason = `${param}: the file does not hold what was expected.`
  return new ServiceError(error.code, { ...error.detail, value: '(file)', reason }, { cause: error })
}

/** A response with a JSON body in UTF-8. */
export const jsonResponse = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  })

export const noContent = (): Response => new Response(null, { status: 204 })
