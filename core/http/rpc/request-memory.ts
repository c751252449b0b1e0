/** Room for questions of the edge: so many at once, with so many bytes; others are refused before anything of them is read. */
import type { Context } from 'hono'
import { ServiceError } from '../../contract/errors.ts'
import { LIMITS } from '../../contract/limits.ts'

export interface RequestMemoryBounds {
  questions: number
  /** Of all frames together. */
  bytes: number
}

const STANDARD_BOUNDS: RequestMemoryBounds = {
  questions: LIMITS.coreQuestions,
  bytes: LIMITS.coreQuestionBytes,
}

/** Goes on with a question that there is room for. Throws SERVICE_UNAVAILABLE. */
export function requestMemory(bounds: RequestMemoryBounds = STANDARD_BOUNDS) {
  let questions = 0
  let bytes = 0
  return async (context: Context, next: () => Promise<void>): Promise<void> => {
    const length = frameBytes(context)
    if (questions >= bounds.questions || bytes + length > bounds.bytes)
      throw new ServiceError('SERVICE_UNAVAILABLE')
    questions++
    bytes += length
    try {
      await next()
    } finally {
      questions--
      bytes -= length
    }
  }
}

/** A frame that does not say how long it is may be as long as any. */
const frameBytes = ({ req }: Context): number => {
  const announced = req.header('content-length')
  return announced === undefined ? LIMITS.bodyBytes : Number(announced)
}
