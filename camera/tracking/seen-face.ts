/** A face on one frame. */
import type { Box } from '../../contract/model/bbox.ts'

export interface SeenFace {
  /** In whole pixels. */
  readonly box: Box
  /** Probability that the picture matches another good picture of the person, 0..1. */
  readonly quality: number
  /** Unit vector. It stays in this process and only connects the frames of a visit. */
  readonly embedding: Float32Array
}
