/** What a line of the log says about a failure. */
import { MienError, MienNetworkError } from '../../clients/typescript/src/index.ts'
import { type Facts, traceOf } from '../../core/log.ts'
import { BrokerFailure } from './broker/failure.ts'

export function factsOf(error: unknown): Facts {
  if (error instanceof BrokerFailure) return { reason: error.reason, advice: error.advice }
  if (error instanceof MienError) return { code: error.code }
  return error instanceof MienNetworkError ? { code: 'no answer' } : traceOf(error)
}
