/** An operation of the API: route, documentation, parameter schema and handler. */
import type * as z from 'zod'
import type { ErrorCode } from '../../contract/errors.ts'
import type { ApiOperation } from '../../contract/metrics.ts'
import type { Permission } from '../../contract/model/scope.ts'
import type { EdgeServices } from '../deps.ts'
import type { JsonSchema } from '../openapi/overrides.ts'
import { type EdgeContext, type OperationCall, route } from './route.ts'

/** Group of an operation in the OpenAPI documents. */
export type Topic =
  | 'Photos'
  | 'Faces'
  | 'Galleries'
  | 'Persons'
  | 'History'
  | 'Cameras'
  | 'Alerts'
  | 'Tokens'
  | 'Service'

export interface Description<P extends z.ZodObject> {
  /** Unique name; the `operationId` of the OpenAPI documents, and a label of metrics. */
  name: ApiOperation
  method: 'get' | 'post' | 'put' | 'delete'
  /** Permission that the token must grant. Checked before the body is read. */
  needs: Permission
  /** Path without the version. `:gallery` is a parameter with this name. */
  path: string
  /** Other paths of the operation, which some clients use. */
  aliases?: readonly string[]
  topic: Topic
  /** A few words without a full stop. */
  summary: string
  /** Documentation beyond the parameters, in Markdown. */
  details?: string
  /** Validates the parameters of path, query and body. Their documentation is generated from it; see openapi/overrides.ts. */
  parameters: P
  /** Parameters that clients send and the operation does not use. They are not reported as ignored. */
  unused?: readonly string[]
  /** Status of a successful response, and the schema of its body; absent without a body. */
  status: 200 | 201 | 204
  answer?: z.ZodType
  /** Content type of the body. Default: JSON. */
  answerType?: string
  /** Body schema of v1 where it has more fields. Default: `answer`. */
  answerOfV1?: z.ZodType
  /** Schemas of the operation's own request headers, each with a description. */
  requestHeaders?: Readonly<Record<string, JsonSchema & { description: string }>>
  /** Descriptions of the operation's own response headers. */
  headers?: Readonly<Record<string, string>>
  /** Error codes beyond the codes of every operation. */
  refusals?: readonly ErrorCode[]
}

export interface Operation extends Description<z.ZodObject> {
  handler(deps: EdgeServices): (context: EdgeContext) => Promise<Response>
}

/** Combines the description of an operation with its handler. */
export const operation = <P extends z.ZodObject>(
  description: Description<P>,
  respond: (deps: EdgeServices, call: OperationCall<z.output<P>>) => Promise<Response>,
): Operation => ({
  ...description,
  handler: deps =>
    route(description, call => respond({ ...deps, core: deps.core.forRequest(call.ids) }, call)),
})
