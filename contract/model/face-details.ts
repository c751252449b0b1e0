/** Optional details of a face on a photo: fields of an answer that a parameter of the same name requests. */
import * as z from 'zod'
import { LivenessScore } from './liveness.ts'
import { QualitySchema } from './quality.ts'

/** Schemas by field name, as optional fields of an answer. Another detail is one line here. */
export const FACE_DETAILS = {
  quality: QualitySchema.optional(),
  liveness: LivenessScore.optional(),
}

export const FaceDetailsSchema = z.strictObject(FACE_DETAILS)
export type FaceDetails = z.infer<typeof FaceDetailsSchema>
export type FaceDetail = keyof FaceDetails

export const FACE_DETAIL_NAMES = Object.keys(FACE_DETAILS) as FaceDetail[]

/** A record with one entry per detail. */
export const byFaceDetail = <Value>(valueFor: (name: FaceDetail) => Value): { [Name in FaceDetail]: Value } =>
  Object.fromEntries(FACE_DETAIL_NAMES.map(name => [name, valueFor(name)])) as { [Name in FaceDetail]: Value }
