/** Quality of a face: the object that `quality=1` adds to a response. */
import * as z from 'zod'

const angle = z.number().min(-180).max(180)
const share = z.number().min(0).max(1)

export const QualitySchema = z
  .strictObject({
    quality: share
      .optional()
      .describe(
        'Probability that the face matches another good picture of its person. Base decisions on this field. ' +
          'Absent for faces stored by earlier versions.',
      ),
    score: share.optional().describe('Score of the detection. Absent if the request contained the box.'),
    size: z.int().min(1).describe('Shorter side of the box, in pixels of the photo.'),
    sharpness: share.describe(
      'Share of fine detail that blurring would remove. 0: the picture has no fine detail.',
    ),
    brightness: share.describe('Mean lightness of the face.'),
    contrast: share.describe('Standard deviation of the lightness.'),
    yaw: angle.describe('Rotation of the head to the right of the picture, in degrees.'),
    pitch: angle.describe('Rotation of the head upwards, in degrees.'),
    roll: angle.describe('Clockwise rotation of the head in the picture plane, in degrees.'),
  })
  .meta({ id: 'Quality', description: 'Quality of the picture of a face for recognition.' })

export type Quality = z.infer<typeof QualitySchema>
