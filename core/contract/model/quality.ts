/** How good a picture of a face is: what `quality=1` adds to an answer. */
import * as z from 'zod'

const angle = z.number().min(-180).max(180)
const share = z.number().min(0).max(1)

export const QualitySchema = z
  .strictObject({
    quality: share
      .optional()
      .describe(
        'How likely the face is recognised: the one number to decide by. Absent for faces that earlier versions stored.',
      ),
    score: share
      .optional()
      .describe('How surely this is a face; absent where the box came with the request.'),
    size: z.int().min(1).describe("The box's shorter side, in pixels of the photo."),
    sharpness: share.describe(
      'What blurring would take away of the fine detail: 0 where there is none left.',
    ),
    brightness: share.describe('Mean lightness of the face.'),
    contrast: share.describe('Standard deviation of the lightness.'),
    yaw: angle.describe('Degrees that the face looks to the right of the picture.'),
    pitch: angle.describe('Degrees that it looks up.'),
    roll: angle.describe('Degrees that it is turned clockwise in the picture.'),
  })
  .meta({ id: 'Quality', description: 'How good the picture of the face is for recognition.' })

export type Quality = z.infer<typeof QualitySchema>
