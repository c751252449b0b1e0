/** What every operation has in common: parameters read and checked, then the handler, then its answer. */
import type { Context } from 'hono'
import type * as z from 'zod'
import { ATTRIBUTES } from '../core/contract/attributes.ts'
import { badParam } from '../core/contract/errors.ts'
import type { Visit } from './admission.ts'
import { readParameters } from './parameters.ts'
import type { Caller } from './tokens.ts'

export const VERSIONS = ['v0', 'v1'] as const

/** `v0` also for paths without a version. */
export type Version = (typeof VERSIONS)[number]

export interface Variables {
  requestId: string
  caller: Caller
  visit: Visit
  version: Version
  /** The origin that links in the answer start with. */
  origin: string
}

export type EdgeContext = Context<{ Variables: Variables }>

export interface Call<P> {
  caller: Caller
  params: P
  version: Version
  origin: string
  /** Path as called, without the query: what links to other pages start with. */
  path: string
  header(name: string): string | undefined
  /** What query or body say under the name of a parameter of the path, which wins. */
  beside(name: string): unknown
  /** Whether this parameter came with a type of its own, in a JSON body, and not as text. */
  typed(name: string): boolean
}

/** A Hono handler for one operation. Path parameters win over those of the body, which win over the query's. */
export const route =
  <S extends z.ZodObject>(schema: S, handle: (call: Call<z.output<S>>) => Promise<Response>) =>
  async (context: EdgeContext): Promise<Response> => {
    const { parameters, typed } = await readParameters(context.req.raw, context.get('visit'))
    const version = context.get('version')
    const sent = { ...knownIn(version, parameters), ...context.req.param() }
    return handle({
      caller: context.get('caller'),
      params: validated(schema, sent),
      version,
      origin: context.get('origin'),
      path: context.req.path,
      header: name => context.req.header(name),
      beside: name => parameters[name],
      typed: name => typed.has(name),
    })
  }

/** v0 knows no attributes: what it is sent under their names is ignored, whatever it is. */
const knownIn = (version: Version, parameters: Record<string, unknown>): Record<string, unknown> =>
  version === 'v0'
    ? { ...parameters, ...Object.fromEntries(ATTRIBUTES.map(name => [name, undefined])) }
    : parameters

/** Unknown parameters are ignored. The first that is wrong is named. */
function validated<S extends z.ZodObject>(schema: S, sent: Record<string, unknown>): z.output<S> {
  const parsed = schema.safeParse(sent)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const param = String(issue?.path[0] ?? '')
  throw badParam(param, sent[param], issue?.message ?? 'This parameter is invalid.')
}

/** JSON in UTF-8. */
export const answer = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  })

export const noContent = (): Response => new Response(null, { status: 204 })
