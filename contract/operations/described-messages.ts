/** Describes the messages between edge and core as JSON Schemas, for a comparison of two versions. */
import * as z from 'zod'
import { RefusalSchema, RPC_OPERATIONS, STREAMS } from './messages.ts'

/** A JSON Schema of draft 2020-12, without texts for readers. */
export type Described = Readonly<Record<string, unknown>>

/** The messages of one operation or stream by part: `request`, and `response`, or `item` and `end`. */
export type DescribedMessages = Readonly<Record<string, Described>>

/** All messages of a version. */
export interface MessageDescription {
  /** The version of the messages (message-headers.ts). */
  readonly version: number
  readonly operations: Readonly<Record<string, DescribedMessages>>
  readonly streams: Readonly<Record<string, DescribedMessages>>
  readonly refusal: Described
}

/** The messages of this program. */
export const describeMessages = (version: number): MessageDescription => ({
  version,
  operations: describeAll(RPC_OPERATIONS, ['request', 'response']),
  streams: describeAll(STREAMS, ['request', 'item', 'end']),
  refusal: describe(RefusalSchema, 'output'),
})

const describeAll = <Part extends string>(
  all: Readonly<Record<string, Readonly<Record<Part, z.ZodType>>>>,
  parts: readonly Part[],
): Record<string, DescribedMessages> =>
  Object.fromEntries(
    Object.entries(all).map(([name, messages]) => [
      name,
      Object.fromEntries(
        parts.map(part => [part, describe(messages[part], part === 'request' ? 'input' : 'output')]),
      ),
    ]),
  )

const describe = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      delete jsonSchema.description
      delete jsonSchema.id
    },
  }) as Described
