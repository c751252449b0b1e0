/** Compares JSON Schemas: whether a reader accepts everything that a writer may send. */
import type { Described } from '#contract/operations/described-messages.ts'
import { LATER_WORDS } from '#core/http/rpc/edge-compatibility.ts'

/** A schema with the document that its references point into. */
interface Side {
  schema: Described
  document: Described
}

/** The keywords that this comparison knows. Another one throws: the comparison would overlook it. */
const KNOWN =
  /^(\$schema|\$defs|\$ref|type|properties|required|additionalProperties|propertyNames|items|prefixItems|minItems|maxItems|enum|const|anyOf|pattern|format|minLength|maxLength|minimum|maximum|exclusiveMinimum)$/

/** Bounds that a reader may leave out or set wider, but not narrower. */
const LEAST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems']
const GREATEST = ['maximum', 'maxLength', 'maxItems']

/**
 * Messages that the writer may send and the reader refuses, one line each. `isTrimmed`: the writer leaves out exactly the
 * properties that the reader does not know.
 */
export function refusals(reader: Side, writer: Side, isTrimmed: boolean, path = ''): string[] {
  const [into, from] = [resolved(reader), resolved(writer)]
  for (const keyword of [...Object.keys(into.schema), ...Object.keys(from.schema)])
    if (!KNOWN.test(keyword)) throw new Error(`${path}: unknown keyword ${keyword}`)
  const variants = alternatives(from)
  if (variants) return variants.flatMap(one => refusals(into, one, false, path))
  const choices = alternatives(into)
  if (choices)
    return choices.some(one => refusals(one, from, false, path).length === 0)
      ? []
      : [`${path}: no alternative`]
  return [
    ...ofTypes(into.schema, from.schema, isTrimmed).map(what => `${path}: ${what}`),
    ...ofObjects(into, from, isTrimmed, path),
    ...ofLists(into, from, isTrimmed, path),
  ]
}

function resolved({ schema, document }: Side): Side {
  if (typeof schema.$ref !== 'string') return { schema, document }
  const definitions = document.$defs as Record<string, Described>
  return resolved({ schema: definitions[schema.$ref.replace('#/$defs/', '')]!, document })
}

const alternatives = ({ schema, document }: Side): Side[] | undefined =>
  (schema.anyOf as Described[] | undefined)?.map(one => ({ schema: one, document }))

function ofTypes(into: Described, from: Described, isTrimmed: boolean) {
  const found: string[] = []
  const [types, others] = [typesOf(into), typesOf(from)]
  if (into.type !== undefined && !others.every(type => types.includes(type)))
    found.push(`type ${from.type}, expected ${into.type}`)
  const [expected, sent] = [valuesOf(into), valuesOf(from)]
  if (
    expected &&
    !sent?.every(value => expected.includes(value) || (isTrimmed && String(value) in LATER_WORDS))
  )
    found.push(`one of ${sent ?? 'any'}, expected ${expected}`)
  if (sent) return found
  for (const keyword of ['pattern', 'format'])
    if (into[keyword] !== undefined && into[keyword] !== from[keyword])
      found.push(`${keyword} ${from[keyword]}, expected ${into[keyword]}`)
  const isBelow = (keyword: string) => Number(from[keyword] ?? -Infinity) < Number(into[keyword])
  const isAbove = (keyword: string) => Number(from[keyword] ?? Infinity) > Number(into[keyword])
  for (const keyword of [...LEAST.filter(isBelow), ...GREATEST.filter(isAbove)])
    found.push(`${keyword} ${from[keyword]}, expected ${into[keyword]}`)
  return found
}

/** An integer is a number. `undefined` stands for any type. */
const typesOf = ({ type }: Described) =>
  [type].flat().flatMap(one => (one === 'number' ? ['number', 'integer'] : [one]))

const valuesOf = ({ enum: values, const: value }: Described) =>
  (values as unknown[] | undefined) ?? (value === undefined ? undefined : [value])

function ofObjects(into: Side, from: Side, isTrimmed: boolean, path: string) {
  const [expected, sent] = [propertiesOf(into), propertiesOf(from)]
  const required = (from.schema.required as string[] | undefined) ?? []
  const found = ((into.schema.required as string[] | undefined) ?? [])
    .filter(name => !required.includes(name))
    .map(name => `${path}.${name}: not always there`)
  const removed = Object.keys(expected).filter(name => isTrimmed && !sent[name])
  found.push(...removed.map(name => `${path}.${name}: removed`))
  for (const [name, schema] of Object.entries(sent)) {
    const known = expected[name]
    if (known) {
      const sides = [
        { ...into, schema: known },
        { ...from, schema },
      ] as const
      found.push(...refusals(...sides, isTrimmed, `${path}.${name}`))
    } else if (into.schema.additionalProperties === false && !isTrimmed)
      found.push(`${path}.${name}: unknown`)
  }
  for (const keyword of ['additionalProperties', 'propertyNames']) {
    const [one, other] = [into.schema[keyword], from.schema[keyword]]
    if (isSchema(one) && isSchema(other)) {
      const sides = [
        { ...into, schema: one },
        { ...from, schema: other },
      ] as const
      found.push(...refusals(...sides, isTrimmed, `${path}.*`))
    } else if (isSchema(one) || (one === false && other !== false && from.schema.type === 'object'))
      found.push(`${path}.*: any property`)
  }
  return found
}

const propertiesOf = ({ schema }: Side) => (schema.properties ?? {}) as Record<string, Described>

function ofLists(into: Side, from: Side, isTrimmed: boolean, path: string) {
  const [expected, sent] = [elementsOf(into), elementsOf(from)]
  if (expected.first.length !== sent.first.length) return [`${path}[]: another tuple`]
  const pairs = [...expected.first.map((one, i) => [one, sent.first[i]!] as const)]
  if (expected.rest && sent.rest) pairs.push([expected.rest, sent.rest])
  return pairs.flatMap(([one, other], i) =>
    refusals({ ...into, schema: one }, { ...from, schema: other }, isTrimmed, `${path}[${i}]`),
  )
}

const elementsOf = ({ schema }: Side) => ({
  first: (schema.prefixItems ?? []) as Described[],
  rest: isSchema(schema.items) ? schema.items : undefined,
})

const isSchema = (value: unknown): value is Described => typeof value === 'object' && value !== null
