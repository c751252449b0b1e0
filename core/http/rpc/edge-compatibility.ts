/** Edges that core serves: they have its pack, and are of this version or of the last release. The last release refuses unknown fields. */

import { ServiceError } from '../../../contract/errors.ts'
import type {
  Described,
  DescribedMessages,
  MessageDescription,
} from '../../../contract/operations/described-messages.ts'
import released from '../../../contract/operations/released-messages.json' with { type: 'json' }
import { RPC_VERSION, versionIn } from '../../../contract/rpc/message-headers.ts'

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
    return schema === undefined ? value : dropUnknown(value, schema, schema.$defs as Definitions)
  }

type Definitions = Readonly<Record<string, Described>> | undefined

/** Words that the last release does not know, and the nearest known word that allows no more. Lists leave them out. */
export const LATER_WORDS: Readonly<Record<string, string>> = { manage: 'enrol' }

/** The value without the properties and words that its schema does not know, at any depth. Alternatives (`anyOf`) stay whole. */
export function dropUnknown(value: unknown, schema: Described, definitions: Definitions): unknown {
  const { $ref, properties, items, additionalProperties } = schema
  if (typeof $ref === 'string') {
    const definition = definitions?.[$ref.replace('#/$defs/', '')]
    return definition ? dropUnknown(value, definition, definitions) : value
  }
  if (Array.isArray(value)) {
    if (!isSchema(items)) return value
    return value
      .filter(element => isKnown(element, items))
      .map(element => dropUnknown(element, items, definitions))
  }
  if (!isKnown(value, schema)) return LATER_WORDS[String(value)]
  if (typeof value !== 'object' || value === null || !isSchema(properties)) return value
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (isSchema(known)) return [[name, dropUnknown(inner, known, definitions)]]
    return additionalProperties === false ? [] : [[name, inner]]
  })
  return Object.fromEntries(entries)
}

const isKnown = (value: unknown, { enum: words }: Described) =>
  !Array.isArray(words) || words.includes(value) || !Object.hasOwn(LATER_WORDS, String(value))

const isSchema = (value: unknown): value is Described => typeof value === 'object' && value !== null

/** An edge that has to be replaced. */
export abstract class EdgeMismatch extends Error {
  /** What edge and core have, because the log contains the code of an error. */
  abstract readonly code: string
  /** For callers of the API. */
  abstract readonly reason: string
}

/** Edge and core use embedders of different packs. The part with the older deployment has to be updated. */
export class EmbedderMismatch extends EdgeMismatch {
  override readonly name = 'EmbedderMismatch'
  readonly code: string
  readonly reason = 'Edge and core use different packs. Restart the edge with the pack of core.'

  /** The labels of both embedders (embedding/label.ts). */
  constructor(edge: string | undefined, core: string) {
    super()
    this.code = `edge=${edge !== undefined && LABEL.test(edge) ? edge : 'unknown'} core=${core}`
  }
}

/** Labels of edges that are written to the log. */
const LABEL = /^[\w.-]{1,100}$/

/** The edge is neither of core's version nor of the previous one. */
export class VersionMismatch extends EdgeMismatch {
  override readonly name = 'VersionMismatch'
  readonly code: string
  readonly reason: string

  constructor(edge: number) {
    super()
    this.code = `edge=${edge} core=${RPC_VERSION}`
    this.reason = `The versions of edge and core do not fit. Upgrade ${edge > RPC_VERSION ? 'core' : 'the edge'}.`
  }
}

/** Answer to the edge: 503, because another edge serves the request. */
export const mismatchRefusal = (cause: EdgeMismatch): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', { reason: cause.reason }, { cause })
