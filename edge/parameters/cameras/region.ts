/** Parameters `rot` and `roi`: regions of a camera's picture. */
import * as z from 'zod'
import { LIMITS } from '../../../contract/limits.ts'
import { type Region, RegionSchema } from '../../../contract/model/camera.ts'
import { openapiOverrides } from '../../openapi/overrides.ts'
import { splitText } from '../lists.ts'
import { asNumber } from '../scalars.ts'

const A_REGION = '4 whole numbers width,height,x,y with width and height above 0'

/** Maximum characters of the text of a region. */
const MAX_CHARACTERS = 256

/** The elements of a list of numbers. A text above the maximum length gives one undefined element. */
const elementsOf = (value: unknown): unknown[] => {
  const [only] = Array.isArray(value) && value.length === 1 ? value : [value]
  if (typeof only === 'string') return only.length <= MAX_CHARACTERS ? splitText(only) : [undefined]
  return Array.isArray(value) ? value : [value]
}

/** `[width, height, x, y]` as a JSON array, JSON text, repeated field or comma-separated text. Undefined for an empty value. */
export const region = z
  .unknown()
  .transform((value, context): Region | undefined => {
    const list = elementsOf(value)
    if (list.length === 0 || (list.length === 1 && list[0] === '')) return undefined
    const parsed = RegionSchema.safeParse(list.length === 4 ? list.map(asNumber) : undefined)
    if (parsed.success && parsed.data.every(side => side <= LIMITS.regionSide)) return parsed.data
    context.addIssue(A_REGION)
    return z.NEVER
  })
  .register(openapiOverrides, {
    type: 'array',
    items: { type: 'integer', minimum: 0, maximum: LIMITS.regionSide },
    minItems: 4,
    maxItems: 4,
    description: '`[width, height, x, y]` in pixels.',
    examples: [[640, 480, 0, 0]],
  })
