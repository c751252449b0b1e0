/** How decoding refuses a photo: BAD_IMAGE with a sentence that tells its sender what to change. */
import { ServiceError } from '../../core/contract/errors.ts'
import { LIMITS } from '../../core/contract/limits.ts'

export const badImage = (reason: string, cause?: unknown): ServiceError =>
  new ServiceError('BAD_IMAGE', { reason }, { cause })

/** A photo brought a decoder to where it can't go on: its instance is given up. */
export class DecoderCrashed extends Error {
  override readonly name = 'DecoderCrashed'
}

/** Whether this refusal of a photo cost a decoder. */
export const isDecoderCrash = (error: unknown): boolean =>
  error instanceof ServiceError &&
  (error.cause instanceof DecoderCrashed || error.cause instanceof WebAssembly.RuntimeError)

/** Throws BAD_IMAGE for a file of more parts than photos have: to walk past millions takes seconds. */
export function refuseParts(count: number): void {
  if (count > LIMITS.photoParts) throw badImage('The photo has too much metadata, or too many frames.')
}

/** The file ends, or contradicts itself, before it has told what it holds. */
export const brokenHeader = (cause?: unknown): ServiceError =>
  badImage('The photo is cut off or damaged near its beginning.', cause)

/** The file told what it holds, but less than half of it is there. */
export const brokenPixels = (cause?: unknown): ServiceError =>
  badImage('The photo is damaged or cut off beyond use.', cause)
