/** Bounds the number and the bytes of concurrent RPC requests. Rejects further requests before their bodies are read. */
import type { Context } from 'hono'
import { ServiceError } from '../../../contract/errors.ts'
import { REQUEST_LIMITS } from '../../../contract/limits/requests.ts'
import { RPC_LIMITS } from '../../../contract/limits/rpc.ts'

type Bounds = Record<'coreRequests' | 'coreRequestBytes', number>

/** Middleware that admits a request within the bounds. Throws SERVICE_UNAVAILABLE. */
export function requestMemory(bounds: Bounds = RPC_LIMITS) {
  let requests = 0
  let bytes = 0
  return async (context: Context, next: () => Promise<void>): Promise<void> => {
    const length = frameBytes(context)
    if (requests >= bounds.coreRequests || bytes + length > bounds.coreRequestBytes)
      throw new ServiceError('SERVICE_UNAVAILABLE')
    requests++
    bytes += length
    try {
      await next()
    } finally {
      requests--
      bytes -= length
    }
  }
}

/** Content-Length of the frame; the maximum when it is absent. */
const frameBytes = ({ req }: Context): number => {
  const announced = req.header('content-length')
  return announced === undefined ? REQUEST_LIMITS.bodyBytes : Number(announced)
}
