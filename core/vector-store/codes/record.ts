/** Layout of a record: the int8 code of a row, the code's step, the number of its bucket, and its id. */
import { codeBytes, TRAILER_BYTES } from '../../../wasm/kernels/kernels.ts'

/** Byte offsets from the end of the code. The kernels depend on STEP. */
export const STEP = 0
export const BUCKET = 4
export const ID = 8

/** Sizes in the records of one dimension. */
export interface RecordShape {
  /** Bytes of the code, which the trailer follows. */
  readonly code: number
  /** Bytes of a whole record. */
  readonly stride: number
}

export function recordShape(dimension: number): RecordShape {
  const code = codeBytes(dimension)
  return { code, stride: code + TRAILER_BYTES }
}
