/** JSON Schemas of parameters as callers write them, for the OpenAPI documents. */
import * as z from 'zod'

export type JsonSchema = Record<string, unknown>

export interface OpenapiOverride extends JsonSchema {
  /** A file in a multipart body. The schema describes the other encodings. */
  upload?: true
}

/** Schemas of fields whose zod type does not describe the accepted input. A refinement of a field keeps its schema. */
export const openapiOverrides = z.registry<OpenapiOverride>()

/** Default values of optional fields. */
export const DEFAULTS = z.registry<{ default: unknown }>()

/** The parameters of an operation by name. */
export interface ObjectSchema extends JsonSchema {
  type: 'object'
  properties: Record<string, OpenapiOverride>
  required: string[]
}

/** JSON Schema of an operation's parameters as callers write them. */
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

/** Override for toJSONSchema: removes the bounds of safe integers, which every integer field has. */
export function dropWholeRange({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
