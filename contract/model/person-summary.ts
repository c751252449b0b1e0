/** Persons with their faces: summaries, and pairs that may be one human. */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { FaceSchema, withLinks } from './face.ts'
import { PersonSchema } from './person.ts'

const COUNTED_PERSON = { ...PersonSchema.shape, count: z.int().min(0).describe('Number of faces.') }

/** The latest of the newest faces of a person. */
export const LatestFaceSchema = z
  .strictObject({
    face_id: FaceId,
    timestamp: z.string().describe('UTC with six decimals, without a zone.'),
    friend: z.boolean().describe('Whether the camera has seen this person on several recent days.'),
    cam_id: z.string().optional(),
  })
  .meta({ id: 'LatestFace' })

export const PersonSummarySchema = z
  .strictObject({
    ...COUNTED_PERSON,
    face: FaceSchema.optional().describe(
      'A face that represents the person. Absent for a person without faces.',
    ),
    latest: LatestFaceSchema.optional().describe(
      'When the person was last seen. Absent for a person without faces.',
    ),
  })
  .meta({ id: 'PersonSummary' })
export type PersonSummary = z.infer<typeof PersonSummarySchema>

/** Two persons with similar faces. */
export const PersonSuggestionSchema = z
  .strictObject({
    confidence: z
      .number()
      .min(0)
      .max(1)
      .describe('Confidence that both faces are of one human, with four decimals.'),
    persons: z
      .array(
        z
          .strictObject({ ...COUNTED_PERSON, face: FaceSchema.describe('The face that was compared.') })
          .meta({ id: 'SuggestedPerson' }),
      )
      .length(2)
      .describe('The person with the higher id first.'),
  })
  .meta({ id: 'PersonSuggestion' })
export type PersonSuggestion = z.infer<typeof PersonSuggestionSchema>

/** The summary with absolute links to pictures. */
export const summaryWithLinks = ({ face, ...person }: PersonSummary, origin: string): PersonSummary => ({
  ...person,
  ...(face && { face: withLinks(face, origin) }),
})
