/** Attributes of a face: age, gender and emotions. */
import * as z from 'zod'
import { badParam, type ServiceError } from '../errors.ts'

export const GENDERS = ['male', 'female'] as const

export const EMOTIONS = ['neutral', 'sad', 'happy', 'surprise', 'fear', 'angry', 'disgust'] as const

/** Names of the attributes, as in parameters and fields. */
export const ATTRIBUTES = ['age', 'gender', 'emotions'] as const

/** Attributes that a request asks for. */
export const RequestedAttributesSchema = z.strictObject({
  age: z.boolean(),
  gender: z.boolean(),
  emotions: z.boolean(),
})
export type RequestedAttributes = z.infer<typeof RequestedAttributesSchema>

/** Attributes of one face. Attributes that the request does not ask for are absent. */
export const AttributesSchema = z.strictObject({
  /** Years. */
  age: z.number().optional(),
  gender: z.enum(GENDERS).optional(),
  /** The two most probable emotions, most probable first. */
  emotions: z.array(z.enum(EMOTIONS)).length(2).optional(),
})
export type Attributes = z.infer<typeof AttributesSchema>

/** The first requested attribute; undefined when none is requested. */
export const firstRequested = (asked: RequestedAttributes): (typeof ATTRIBUTES)[number] | undefined =>
  ATTRIBUTES.find(name => asked[name])

/** BAD_PARAM for a request of attributes while the option `gae` is off. */
export const attributesAreOff = (asked: RequestedAttributes): ServiceError =>
  badParam(
    firstRequested(asked) ?? '',
    true,
    'The recognition of gender, age and emotions (gae) is off here.',
  )
