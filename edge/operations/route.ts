/** The common steps of every operation: read and validate parameters, run its handler or forward it to core. */
import type * as z from 'zod'
import { ServiceError, wrongValue } from '../../contract/errors.ts'
import { ATTRIBUTES } from '../../contract/model/attributes.ts'
import type { Selection } from '../../contract/model/photo-analysis.ts'
import type { ApiCall, Version } from '../../contract/operations/operation.ts'
import type { ApiOperation, Operation, ParametersOf } from '../../contract/operations/table.ts'
import { isUnknownId } from '../../contract/parameters/ids.ts'
import { Upload } from '../../contract/parameters/photos.ts'
import type { PhotoAnalysis } from '../../wasm/pipeline.ts'
import type { Core } from '../core-client/core-client.ts'
import type { EdgeServices } from '../edge-services.ts'
import { type EdgeContext, withOneSlash } from '../http/context.ts'
import { ignoredHeader, withMeantName } from '../http/ignored-parameters.ts'
import { namesInPath } from '../http/paths.ts'
import { knownParameters, withoutParameters } from '../parameters/known-parameters.ts'
import { type ParsedParameters, readParameters } from '../parameters/read-parameters.ts'
import { forward } from './forward.ts'

export interface OperationCall<Params> extends ApiCall<Params> {
  version: Version
  /** Core, for the calls of this request. */
  core: Core
  /** Analyses a photo of the request, and adds its faces to the log line. See PhotoAnalyzer. */
  analyze(
    bytes: Uint8Array<ArrayBuffer>,
    selection: Selection | undefined,
    param: string,
  ): Promise<PhotoAnalysis>
  header(name: string): string | undefined
  /** Value of a path parameter's name in the query or the body. The path takes precedence. */
  outsidePath(name: string): unknown
}

export type CallOf<Name extends ApiOperation> = OperationCall<ParametersOf<Name>>

/** Handlers of operations that do something at the edge. */
export type Handlers = {
  readonly [Name in ApiOperation]?: (call: CallOf<Name>) => Promise<Response>
}

/** A Hono handler for one operation. Path parameters take precedence over the body, and the body over the query. */
export function route(operation: Operation, handlers: Handlers, { core, faces }: EdgeServices) {
  const { parameters: schema, unused, path } = operation
  const handle = handlers[operation.name] as ((call: OperationCall<unknown>) => Promise<Response>) | undefined
  const known = knownParameters(schema, unused, namesInPath(path))
  const knownIn = { v0: withoutParameters(known, ATTRIBUTES), v1: known }
  const onlyInV1 = new Set(ATTRIBUTES.filter(name => known.kinds.has(name)))
  return async (context: EdgeContext): Promise<Response> => {
    const version = context.get('version')
    const inPath = context.req.param()
    const { kinds } = knownIn[version]
    const read = await readParameters(context.req.raw, context.get('permit'), knownIn[version])
    const { parameters, fromFiles } = read
    const nameable = [...kinds.keys()].filter(name => !(name in inPath))
    context.set('ignored', ignoredHeader(read.unknown, { known: nameable, onlyInV1 }))
    const caller = context.get('caller')
    const photoRequest = { token: caller.token, stageEnded: context.get('stageEnded') }
    const call: OperationCall<Record<string, unknown>> = {
      caller,
      params: validated(schema, { ...parameters, ...inPath }, read),
      version,
      origin: context.get('origin'),
      path: withOneSlash(new URL(context.req.url).pathname),
      core: core.forRequest(context.get('requestId')),
      async analyze(bytes, selection, param) {
        const analysis = await faces.analyze(bytes, selection, param, photoRequest)
        if (!selection?.located) context.set('faces', (context.get('faces') ?? 0) + analysis.faces.length)
        return analysis
      },
      header: name => context.req.header(name),
      outsidePath: name => parameters[name],
    }
    try {
      return await (handle ? handle(call) : forward(call.core, operation, call))
    } catch (error) {
      throw withoutFiles(withMeantName(error, read.unknown), fromFiles)
    }
  }
}

/** The validated parameters. Throws BAD_PARAM for the first invalid one, and NOT_FOUND if only an id of the path is invalid. */
function validated(
  schema: z.ZodObject,
  sent: Record<string, unknown>,
  { fromFiles, unknown }: Pick<ParsedParameters, 'fromFiles' | 'unknown'>,
): Record<string, unknown> {
  // Fields supply their own phrases. This default hides the validator's messages from callers.
  const parsed = schema.safeParse(sent, { error: () => 'another value' })
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues.find(one => !isUnknownId(one))
  if (!issue) throw new ServiceError('NOT_FOUND')
  const param = String(issue.path[0] ?? '')
  const value = fromFiles.has(param) ? new Upload(new Uint8Array(), '') : sent[param]
  throw withMeantName(wrongValue(param, value, issue.message), unknown)
}

/** Removes the text of an uploaded file from an error about its parameter. */
function withoutFiles(error: unknown, fromFiles: ReadonlySet<string>): unknown {
  if (!(error instanceof ServiceError) || !fromFiles.has(error.detail.param ?? '')) return error
  const { param = '' } = error.detail
  const reason = `${param}: the file does not hold what was expected.`
  return new ServiceError(error.code, { ...error.detail, value: '(file)', reason }, { cause: error })
}
