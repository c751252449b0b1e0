/** Forwards an operation to core as its declaration says. */

import type * as z from 'zod'
import type {
  RpcOperation,
  RpcRequest,
  StreamName,
  StreamRequest,
} from '../../contract/operations/messages.ts'
import type { ApiCall, Caller, Declaration } from '../../contract/operations/operation.ts'
import type { CallMessage } from '../../contract/rpc/message.ts'
import type { Core } from '../core-client/core-client.ts'
import { jsonResponse, noContent } from '../http/context.ts'
import { streamedAnswer } from '../http/streamed.ts'

type AnyCall = ApiCall<Record<string, unknown>>

export async function forward(core: Core, operation: Declaration, call: AnyCall): Promise<Response> {
  const { core: message, status } = operation
  const request = requestOf(operation, call)
  if (message.kind === 'stream') {
    const items = await core.stream(message.name as StreamName, request as StreamRequest<StreamName>)
    const { toItem = item => item, toTail = () => ({}) } = operation as AnyDeclaration
    return streamedAnswer<unknown, unknown>(
      items,
      item => toItem(item, call),
      (end, last) => toTail(end, last, call),
    )
  }
  const { response } = await core.call(message.name as RpcOperation, request as RpcRequest<RpcOperation>)
  return status === 204 ? noContent() : jsonResponse(bodyOf(operation, response, call), status)
}

/** A declaration whose types of messages are not known. */
type AnyDeclaration = {
  toItem?(item: unknown, call: AnyCall): unknown
  toTail?(end: unknown, last: unknown, call: AnyCall): Record<string, unknown>
  toBody?(response: unknown, call: AnyCall): unknown
}

/** The request to core. JSON omits its undefined fields. */
export function requestOf(operation: Declaration, call: AnyCall): Record<string, unknown> {
  const { shape } = operation.core.request
  const given = operation.toRequest?.(call) ?? inCamelCase(call.params)
  return {
    ...('owner' in shape && actor(call.caller, 'by' in shape)),
    ...('viewer' in shape && viewerOf(call.caller)),
    ...given,
  }
}

const actor = ({ owner, token }: Caller, changes: boolean) => ({ owner, ...(changes && { by: token }) })

/** Who looks, as a field of a request that shows data of people. Absent where core does not ask for it. */
export const viewerOf = ({ owner, token, records }: Caller): { viewer?: { owner: string; token: string } } =>
  records ? { viewer: { owner, token } } : {}

/** The owner and the id of the acting token, as fields of a request that changes data. */
export const authorOf = ({ owner, token }: Caller): { owner: string; by: string } => ({ owner, by: token })

const inCamelCase = (params: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )

/** As `toBody` of a declaration says, or else the schemas of the response and the answer. */
function bodyOf(operation: Declaration, response: Record<string, unknown>, call: AnyCall): unknown {
  const { toBody } = operation as AnyDeclaration
  if (toBody) return toBody(response, call)
  const { shape: fields } = (operation.core as CallMessage).response
  const answer = operation.answer as z.ZodType & { shape?: object }
  const whole = Object.keys(fields).find(name => fields[name] === answer)
  if (whole !== undefined) return response[whole]
  const isList = answer.shape && 'results' in answer.shape && !('results' in fields)
  return isList ? { results: Object.values(response)[0] } : response
}
