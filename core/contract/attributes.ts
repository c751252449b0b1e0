/** What can be read off a face beside whose it is: age, gender and emotions. */
import * as z from 'zod'

export const GENDERS = ['male', 'female'] as const

export const EMOTIONS = ['neutral', 'sad', 'happy', 'surprise', 'fear', 'angry', 'disgust'] as const

/** The attributes, under the names of their parameters and fields. */
export const ATTRIBUTES = ['age', 'gender', 'emotions'] as const

/** Which of them a request asks for. */
export const AskedSchema = z.strictObject({ age: z.boolean(), gender: z.boolean(), emotions: z.boolean() })
export type Asked = z.infer<typeof AskedSchema>

/** Of one face, those that were asked for. */
export const AttributesSchema = z.strictObject({
  /** Years. */
  age: z.number().optional(),
  gender: z.enum(GENDERS).optional(),
  /** The two likeliest, likeliest first. */
  emotions: z.array(z.enum(EMOTIONS)).length(2).optional(),
})
export type Attributes = z.infer<typeof AttributesSchema>

/** Is there anything to do? */
export const asksAny = (asked: Asked): boolean => ATTRIBUTES.some(name => asked[name])
