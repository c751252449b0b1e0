/** What can be read off a face beside whose it is: age, gender and emotions. */
import * as z from 'zod'
import { badParam, type ServiceError } from '../errors.ts'

export const GENDERS = ['male', 'female'] as const

export const EMOTIONS = ['neutral', 'sad', 'happy', 'surprise', 'fear', 'angry', 'disgust'] as const

/** The attributes, under the names of their parameters and fields. */
export const ATTRIBUTES = ['age', 'gender', 'emotions'] as const

/** Which of them a request asks for. */
export const RequestedAttributesSchema = z.strictObject({
  age: z.boolean(),
  gender: z.boolean(),
  emotions: z.boolean(),
})
export type RequestedAttributes = z.infer<typeof RequestedAttributesSchema>

/** Of one face, those that were asked for. */
export const AttributesSchema = z.strictObject({
  /** Years. */
  age: z.number().optional(),
  gender: z.enum(GENDERS).optional(),
  /** The two likeliest, likeliest first. */
  emotions: z.array(z.enum(EMOTIONS)).length(2).optional(),
})
export type Attributes = z.infer<typeof AttributesSchema>

/** The first attribute that is asked for, if there is one. */
export const firstRequested = (asked: RequestedAttributes): (typeof ATTRIBUTES)[number] | undefined =>
  ATTRIBUTES.find(name => asked[name])

/** The refusal of what is asked for where it is off: the option `gae` of the contract. */
export const attributesAreOff = (asked: RequestedAttributes): ServiceError =>
  badParam(
    firstRequested(asked) ?? '',
    true,
    'The recognition of gender, age and emotions (gae) is off here.',
  )
