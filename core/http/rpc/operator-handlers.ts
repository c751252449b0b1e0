/** The handlers of the RPC operations of operators. */
import type { RpcRequest, RpcResponse } from '../../contract/rpc/operations.ts'
import type { OPERATOR_OPERATIONS } from '../../contract/rpc/operator-operations.ts'
import type { Services } from '../../operations/services.ts'
import { currentToken } from '../../operations/tokens.ts'

type OperatorHandlers = {
  [V in keyof typeof OPERATOR_OPERATIONS]: (question: RpcRequest<V>) => Promise<{ answer: RpcResponse<V> }>
}

export function operatorHandlers(services: Services): OperatorHandlers {
  return {
    'token.get': async question => ({ answer: await currentToken(services, question) }),
  }
}
