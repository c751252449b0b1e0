/** Liveness of a face: the field that `liveness=1` adds to a response. */
import * as z from 'zod'

/** Near 1 for a live person, near 0 for a print or a screen. */
export const LivenessScore = z
  .number()
  .min(0)
  .max(1)
  .meta({
    id: 'Liveness',
    description:
      'Whether a live person was in front of the camera: near 1 for a live face, near 0 for a print or a screen. The check ' +
      'often misses close prints and screens. It does not detect masks, deepfakes or files that no camera took.',
  })
