/** The record of a row: its code, then the length of the code's step, the number of its bucket, and its id. */
import { codeBytes, TRAILER_BYTES } from '../../../wasm/kernels/kernels.ts'

/** Bytes from the end of the code. The kernels know the first. */
export const STEP = 0
export const BUCKET = 4
export const ID = 8

/** Where things lie in the records of one dimension, in bytes. */
export interface RecordShape {
  /** Bytes of the code; the trailer comes behind it. */
  readonly code: number
  /** Bytes of a whole record. */
  readonly stride: number
}

export function recordShape(dimension: number): RecordShape {
  const code = codeBytes(dimension)
  return { code, stride: code + TRAILER_BYTES }
}
