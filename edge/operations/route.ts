/** What every operation has in common: parameters read and checked, then the handler, then its answer. */
import type { Context } from 'hono'
import type * as z from 'zod'
import { ServiceError, unexpected } from '../../core/contract/errors.ts'
import { ATTRIBUTES } from '../../core/contract/model/attributes.ts'
import type { Permit } from '../admission/admission.ts'
import type { Caller } from '../admission/tokens.ts'
import { Upload } from '../http/encodings/upload.ts'
import { ignoredHeader } from '../http/ignored-parameters.ts'
import { knownParameters, without } from '../parameters/known-parameters.ts'
import { readParameters } from '../parameters/read-parameters.ts'

export const VERSIONS = ['v0', 'v1'] as const

/** `v1` also for paths without a version. */
export type Version = (typeof VERSIONS)[number]

export interface Variables {
  requestId: string
  caller: Caller
  permit: Permit
  version: Version
  /** The origin that links in the answer start with. */
  origin: string
  /** The header that names ignored parameters, where there are any. */
  ignored: string | undefined
}

export type EdgeContext = Context<{ Variables: Variables }>

export interface OperationCall<P> {
  caller: Caller
  params: P
  version: Version
  origin: string
  /** Path as called, without the query: what links to other pages start with. */
  path: string
  header(name: string): string | undefined
  /** What query or body say under the name of a parameter of the path, which wins. */
  outsidePath(name: string): unknown
  /** Whether this parameter came with a type of its own, in a JSON body, and not as text. */
  isTyped(name: string): boolean
}

/** What is known of an operation's parameters. */
interface Described<S> {
  parameters: S
  unused?: readonly string[]
}

/** A Hono handler for one operation. Path parameters win over those of the body, which win over the query's. */
export function route<S extends z.ZodObject>(
  { parameters: schema, unused }: Described<S>,
  handle: (call: OperationCall<z.output<S>>) => Promise<Response>,
) {
  const known = knownParameters(schema, unused)
  const knownIn = { v0: without(known, ATTRIBUTES), v1: known }
  return async (context: EdgeContext): Promise<Response> => {
    const version = context.get('version')
    const inPath = context.req.param()
    const { kinds } = knownIn[version]
    const read = await readParameters(context.req.raw, context.get('permit'), knownIn[version])
    const { parameters, typed, fromFiles } = read
    const nameable = [...kinds.keys()].filter(name => !(name in inPath))
    context.set('ignored', ignoredHeader(read.unknown, nameable))
    const params = validated(schema, { ...parameters, ...inPath }, fromFiles)
    try {
      return await handle({
        caller: context.get('caller'),
        params,
        version,
        origin: context.get('origin'),
        path: context.req.path,
        header: name => context.req.header(name),
        outsidePath: name => parameters[name],
        isTyped: name => typed.has(name),
      })
    } catch (error) {
      throw withoutFiles(error, fromFiles)
    }
  }
}

/** The first parameter that is wrong is named. */
function validated<S extends z.ZodObject>(
  schema: S,
  sent: Record<string, unknown>,
  fromFiles: ReadonlySet<string>,
): z.output<S> {
  // Phrases of the fields go first; this one keeps the validator's own words from callers.
  const parsed = schema.safeParse(sent, { error: () => 'another value' })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const param = String(issue?.path[0] ?? '')
  const value = fromFiles.has(param) ? new Upload(new Uint8Array(), '') : sent[param]
  throw unexpected(param, value, issue?.message ?? '')
}

/** The error without the text of a file that a client sent as a parameter. */
function withoutFiles(error: unknown, fromFiles: ReadonlySet<string>): unknown {
  if (!(error instanceof ServiceError) || !fromFiles.has(error.detail.param ?? '')) return error
  const { param = '' } = error.detail
  const reason = `${param}: the file does not hold what was expected.`
  return new ServiceError(error.code, { ...error.detail, value: '(file)', reason }, { cause: error })
}

/** JSON in UTF-8. */
export const answer = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  })

export const noContent = (): Response => new Response(null, { status: 204 })
