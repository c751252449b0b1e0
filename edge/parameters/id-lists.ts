/** Parameters with lists of ids: of persons, of faces. */
import * as z from 'zod'
import { openapiOverrides } from '../openapi/overrides.ts'
import { readIds } from './lists.ts'

/** Distinct whole numbers, 1 to `most` of them, as numbers of a JSON array or in any list notation of readIds. */
export const idList = (most: number, description: string) => {
  const expected = `a list of 1 to ${most} ids, which are whole numbers from 0 to ${Number.MAX_SAFE_INTEGER}`
  return z
    .unknown()
    .transform((value, context): number[] => {
      const ids = [...new Set(readIds(value)?.map(idOf))]
      if (ids.length > 0 && ids.length <= most && ids.every(Number.isSafeInteger)) return ids
      context.addIssue(expected)
      return z.NEVER
    })
    .register(openapiOverrides, {
      type: 'array',
      items: { type: 'integer', minimum: 0 },
      minItems: 1,
      maxItems: most,
      description,
    })
}

const idOf = (text: string): number => (/^\d{1,16}$/.test(text) ? Number(text) : Number.NaN)
