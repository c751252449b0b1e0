/** Bounds the number and the bytes of concurrent RPC requests. Rejects further requests before their bodies are read. */
import type { Context } from 'hono'
import { ServiceError } from '../../../contract/errors.ts'
import { REQUEST_LIMITS } from '../../../contract/limits/requests.ts'
import { RPC_LIMITS } from '../../../contract/limits/rpc.ts'

/** Bounds of concurrent RPC requests. */
export interface RequestMemoryBounds {
  requests: number
  /** Bytes of all frames together. */
  bytes: number
}

const STANDARD_BOUNDS: RequestMemoryBounds = {
  requests: RPC_LIMITS.coreRequests,
  bytes: RPC_LIMITS.coreRequestBytes,
}

/** Middleware that admits a request within the bounds. Throws SERVICE_UNAVAILABLE. */
export function requestMemory(bounds: RequestMemoryBounds = STANDARD_BOUNDS) {
  let requests = 0
  let bytes = 0
  return async (context: Context, next: () => Promise<void>): Promise<void> => {
    const length = frameBytes(context)
    if (requests >= bounds.requests || bytes + length > bounds.bytes)
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
