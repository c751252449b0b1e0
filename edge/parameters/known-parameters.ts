/** Names and kinds of an operation's parameters, needed before a request is parsed. */
import type * as z from 'zod'
import {
  type JsonSchema,
  type OpenapiOverride,
  overriddenParameters,
} from '../../contract/parameters/json-schema.ts'

/** `once`: one scalar value. `list`: the name may repeat. `structure`: an object, or any JSON value. */
export type Kind = 'once' | 'list' | 'structure'

export interface KnownParameters {
  kinds: ReadonlyMap<string, Kind>
  /** Names of parameters that accept a photo. */
  photos: readonly string[]
  /** Names that are accepted and not used. They are not reported as ignored. */
  unused: ReadonlySet<string>
  /** Parameters that a request needs beside its path: none, only optional ones, or required ones. */
  needs: 'nothing' | 'optional' | 'required'
}

/** `inPath` names the parameters of the path. */
export function knownParameters(
  schema: z.ZodObject,
  unused: readonly string[] = [],
  inPath: readonly string[] = [],
): KnownParameters {
  const { properties, required } = overriddenParameters(schema)
  const all = Object.entries(properties)
  const isOutside = (name: string) => !inPath.includes(name)
  return {
    kinds: new Map(all.map(([name, written]) => [name, kindOf(written)])),
    photos: all.filter(([, { upload }]) => upload).map(([name]) => name),
    unused: new Set(unused),
    needs: required.some(isOutside)
      ? 'required'
      : Object.keys(properties).some(isOutside)
        ? 'optional'
        : 'nothing',
  }
}

/** The same parameters without the given names. */
export const withoutParameters = (known: KnownParameters, names: readonly string[]): KnownParameters => ({
  ...known,
  kinds: new Map([...known.kinds].filter(([name]) => !names.includes(name))),
})

function kindOf(written: OpenapiOverride): Kind {
  const alternatives = [written, ...schemasIn(written.anyOf), ...schemasIn(written.oneOf)]
  const types = alternatives.flatMap(({ type = [] }) => type as string | string[])
  if (types.includes('array')) return 'list'
  return types.length === 0 || types.includes('object') ? 'structure' : 'once'
}

const schemasIn = (schemas: unknown): JsonSchema[] => (Array.isArray(schemas) ? schemas : [])
