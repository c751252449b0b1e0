/** Serves edges of this version and of the last release, which refuses responses with fields that it does not know. */
import type { Described, DescribedMessages, MessageDescription } from '../../../contract/rpc/described.ts'
import { RPC_VERSION, versionIn } from '../../../contract/rpc/headers.ts'
import released from '../../../contract/rpc/released.json' with { type: 'json' }
import { VersionMismatch } from './mismatch.ts'

const { operations, streams }: MessageDescription = released

/** Adapts a part of a response to an edge: `response`, `item` or `end`. */
export type ResponseForm = (part: string, value: unknown) => unknown

/** How core responds to an edge. */
export interface EdgeVersion {
  operation(name: string): ResponseForm
  stream(name: string): ResponseForm
}

const UNCHANGED: ResponseForm = (_, value) => value

const CURRENT: EdgeVersion = { operation: () => UNCHANGED, stream: () => UNCHANGED }

const RELEASED: EdgeVersion = {
  operation: name => formOf(operations[name]),
  stream: name => formOf(streams[name]),
}

/** The version in the header of an edge. Throws VersionMismatch. */
export function edgeVersion(header: string | undefined): EdgeVersion {
  const version = versionIn(header)
  if (version === RPC_VERSION) return CURRENT
  if (version === RPC_VERSION - 1) return RELEASED
  throw new VersionMismatch(version)
}

const formOf =
  (messages: DescribedMessages | undefined): ResponseForm =>
  (part, value) => {
    const schema = messages?.[part]
    return schema === undefined ? value : trimmed(value, schema, schema.$defs as Definitions)
  }

type Definitions = Readonly<Record<string, Described>> | undefined

/** The value without the properties that its schema does not know, at any depth. Alternatives (`anyOf`) stay whole. */
export function trimmed(value: unknown, schema: Described, definitions: Definitions): unknown {
  const { $ref, properties, items, additionalProperties } = schema
  if (typeof $ref === 'string') {
    const definition = definitions?.[$ref.replace('#/$defs/', '')]
    return definition ? trimmed(value, definition, definitions) : value
  }
  if (Array.isArray(value))
    return isSchema(items) ? value.map(element => trimmed(element, items, definitions)) : value
  if (typeof value !== 'object' || value === null || !isSchema(properties)) return value
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (isSchema(known)) return [[name, trimmed(inner, known, definitions)]]
    return additionalProperties === false ? [] : [[name, inner]]
  })
  return Object.fromEntries(entries)
}

const isSchema = (value: unknown): value is Described => typeof value === 'object' && value !== null
