/** Optional details of a face on a photo: fields of an answer that a parameter of the same name requests. */
import * as z from 'zod'
import { Positive, Share } from '../scalars.ts'

const angle = z.number().min(-180).max(180)

export const QualitySchema = z
  .strictObject({
    quality: Share.optional().describe(
      'Probability that the face matches another good picture of its person. Base decisions on this field. ' +
        'Absent for faces stored by earlier versions.',
    ),
    score: Share.optional().describe(
      'Score of the detection. For a box of the request: of the detection at this place, and 0 without one.',
    ),
    size: Positive.describe('Shorter side of the part of the box on the photo, in pixels of the photo.'),
    sharpness: Share.describe(
      'Share of fine detail that blurring would remove. 0: the picture has no fine detail.',
    ),
    brightness: Share.describe('Mean lightness of the face.'),
    contrast: Share.describe('Standard deviation of the lightness.'),
    yaw: angle.describe('Rotation of the head to the right of the picture, in degrees.'),
    pitch: angle.describe('Rotation of the head upwards, in degrees.'),
    roll: angle.describe('Clockwise rotation of the head in the picture plane, in degrees.'),
  })
  .meta({ id: 'Quality', description: 'Quality of the picture of a face for recognition.' })

export type Quality = z.infer<typeof QualitySchema>

/** Near 1 for a live person, near 0 for a print or a screen. */
export const LivenessScore = Share.meta({
  id: 'Liveness',
  description:
    'Whether a live person was in front of the camera: near 1 for a live face, near 0 for a print or a screen. The check ' +
    'often misses close prints and screens. It does not detect masks, deepfakes or files that no camera took.',
})

/** Schemas by field name, as optional fields of an answer. Another detail is one line here. */
export const FACE_DETAILS = {
  quality: QualitySchema.optional(),
  liveness: LivenessScore.optional(),
}

const FaceDetailsSchema = z.strictObject(FACE_DETAILS)
export type FaceDetails = z.infer<typeof FaceDetailsSchema>
export type FaceDetail = keyof FaceDetails

export const FACE_DETAIL_NAMES = Object.keys(FACE_DETAILS) as FaceDetail[]

/** A record with one entry per detail. */
export const byFaceDetail = <Value>(valueFor: (name: FaceDetail) => Value): { [Name in FaceDetail]: Value } =>
  Object.fromEntries(FACE_DETAIL_NAMES.map(name => [name, valueFor(name)])) as { [Name in FaceDetail]: Value }
