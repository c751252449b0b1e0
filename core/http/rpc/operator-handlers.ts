/** The handlers of the RPC operations of operators. */
import type { RpcRequest, RpcResponse } from '../../../contract/rpc/operations.ts'
import type { OPERATOR_OPERATIONS } from '../../../contract/rpc/operator-operations.ts'
import type { Services } from '../../operations/services.ts'
import { createToken, currentToken, listTokens, revokeToken, rotateToken } from '../../operations/tokens.ts'
import { auditPage, auditVerifier } from '../../operations/upkeep/audit-verification.ts'
import { type ServiceFacts, serviceState } from '../../operations/upkeep/service-state.ts'

type OperatorHandlers = {
  [V in keyof typeof OPERATOR_OPERATIONS]: (question: RpcRequest<V>) => Promise<{ answer: RpcResponse<V> }>
}

export function operatorHandlers(services: Services, facts: ServiceFacts): OperatorHandlers {
  const verify = auditVerifier(services)
  return {
    'token.get': async question => ({ answer: await currentToken(services, question) }),
    'tokens.list': async question => ({ answer: await listTokens(services, question) }),
    'token.create': async question => ({ answer: await createToken(services, question) }),
    'token.rotate': async question => ({ answer: await rotateToken(services, question) }),
    'token.revoke': async question => ({ answer: await revokeToken(services, question) }),
    'audit.page': async question => ({ answer: await auditPage(services, question) }),
    'audit.verify': async () => ({ answer: { verification: await verify() } }),
    'service.get': async () => ({ answer: { service: await serviceState(services, facts) } }),
  }
}
