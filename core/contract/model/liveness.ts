/** Whether a face is alive: what `liveness=1` adds to an answer. */
import * as z from 'zod'

export const LivenessScore = z
  .number()
  .min(0)
  .max(1)
  .meta({
    id: 'Liveness',
    description:
      'How surely the face was before the camera itself: near 0 for a print or a screen that it knows for one. Close prints and ' +
      'screens often, and masks, deepfakes and files that no camera took always, pass for living faces.',
  })
