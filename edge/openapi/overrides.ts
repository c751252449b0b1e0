/** How callers write each kind of parameter, as JSON Schema: what the API's documents show of the code that reads it. */
import * as z from 'zod'

export type JsonSchema = Record<string, unknown>

export interface OpenapiOverride extends JsonSchema {
  /** A file in a multipart body; the schema itself is for the other encodings. */
  upload?: true
}

/** Fields that read more than their type tells are registered here. What is refined from a field is written alike. */
export const openapiOverrides = z.registry<OpenapiOverride>()

/** What fields are taken for when they are left out. */
export const DEFAULTS = z.registry<{ default: unknown }>()

/** The parameters of an operation, each by its name. */
export interface ObjectSchema extends JsonSchema {
  type: 'object'
  properties: Record<string, OpenapiOverride>
  required: string[]
}

/** How the parameters of an operation are written. */
export function overriddenParameters(parameters: z.ZodObject): ObjectSchema {
  const { properties = {}, required = [] } = z.toJSONSchema(parameters, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const written = openapiOverrides.get(zodSchema)
      if (written) {
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema]
        Object.assign(jsonSchema, written, z.globalRegistry.get(zodSchema))
      }
      Object.assign(jsonSchema, DEFAULTS.get(zodSchema))
      dropWholeRange({ jsonSchema })
    },
  }) as Partial<ObjectSchema>
  return { type: 'object', properties, required }
}

/** For toJSONSchema: that an integer fits a number is not worth saying. */
export function dropWholeRange({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
