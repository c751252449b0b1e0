/** An operation of the API: where it is, what is told of it, how its parameters are checked, and what answers it. */
import type * as z from 'zod'
import type { ErrorCode } from '../../core/contract/errors.ts'
import type { Need } from '../../core/contract/model/scope.ts'
import type { EdgeServices } from '../deps.ts'
import type { JsonSchema } from '../openapi/overrides.ts'
import { type EdgeContext, type OperationCall, route } from './route.ts'

/** What an operation is about: the groups of the API's documents. */
export type Topic = 'Photos' | 'Faces' | 'Galleries' | 'Persons' | 'History' | 'Cameras'

export interface Description<P extends z.ZodObject> {
  /** Its name in the API's documents: no two operations share one. */
  name: string
  method: 'get' | 'post' | 'put' | 'delete'
  /** What its caller's token has to allow: asked before anything of the request is read. */
  needs: Need
  /** Without the version. `:gallery` in it is a parameter of that name. */
  path: string
  /** Other paths that lead to it, as some clients write them. */
  aliases?: readonly string[]
  topic: Topic
  /** What it does, in a few words without a full stop. */
  summary: string
  /** What a caller has to know beyond its parameters, in Markdown. */
  details?: string
  /** Checks the parameters of path, query and body. Their documentation is made of it, see written.ts. */
  parameters: P
  /** Parameters that clients send and that nothing is done with: they are not reported as ignored. */
  unused?: readonly string[]
  /** The status of its success, and the shape of the answer: none when it has no body. */
  status: 200 | 201 | 204
  answer?: z.ZodType
  /** The shape of v1's answer, where v1 tells more. */
  answerOfV1?: z.ZodType
  /** Request headers that it reads, beyond those of every request: their schemas, each with a description. */
  requestHeaders?: Readonly<Record<string, JsonSchema & { description: string }>>
  /** What headers of the answer tell, beyond those that every answer has. */
  headers?: Readonly<Record<string, string>>
  /** What it may be refused with, beyond what may happen to every operation. */
  refusals?: readonly ErrorCode[]
}

export interface Operation extends Description<z.ZodObject> {
  handler(deps: EdgeServices): (context: EdgeContext) => Promise<Response>
}

/** Joins what is told of an operation with what answers it. */
export const operation = <P extends z.ZodObject>(
  description: Description<P>,
  answerTo: (deps: EdgeServices, call: OperationCall<z.output<P>>) => Promise<Response>,
): Operation => ({
  ...description,
  handler: deps => route(description, call => answerTo(deps, call)),
})
