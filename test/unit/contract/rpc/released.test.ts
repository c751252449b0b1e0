/** The messages of the last release (released.json, by `npm run messages`) and those of this program fit together. */
import { describe, expect, it } from 'vitest'
import {
  type Described,
  type DescribedMessages,
  describeMessages,
  type MessageDescription,
} from '#contract/rpc/described.ts'
import { RPC_VERSION, versionIn } from '#contract/rpc/headers.ts'
import document from '#contract/rpc/released.json' with { type: 'json' }
import { refused } from './compatible.ts'

const released: MessageDescription = document
const current = describeMessages(RPC_VERSION)

const side = (schema: Described) => ({ schema, document: schema })

/** What one side refuses of a message of the other: requests of earlier edges, and answers to them. */
function refusedPart(part: string, earlier: Described, now: Described): string[] {
  return part === 'request'
    ? refused(side(now), side(earlier), false)
    : refused(side(earlier), side(now), true)
}

const refusedMessages = (earlier: DescribedMessages, now: DescribedMessages): string[] =>
  Object.entries(earlier).flatMap(([part, schema]) =>
    refusedPart(part, schema, now[part]!).map(what => `${part}${what}`),
  )

/** Differences that no edge of the last release meets. */
const HARMLESS: Readonly<Record<string, string[]>> = {
  // Its rules have a `url`, and therefore a secret.
  'alert.create': ['response.alert.secret: not always there'],
}

const ALL = [
  ...Object.entries(released.operations).map(entry => [...entry, current.operations] as const),
  ...Object.entries(released.streams).map(entry => [...entry, current.streams] as const),
]

describe('the messages of the last release', () => {
  it('are one version behind those of this program', () => {
    expect(released.version).toBe(RPC_VERSION - 1)
  })

  it.each(ALL)('of %s fit those of this program', (name, messages, now) => {
    expect(now[name], 'operations stay').toBeDefined()
    expect(refusedMessages(messages, now[name]!)).toEqual(HARMLESS[name] ?? [])
  })

  it('have refusals that the last release reads', () => {
    expect(refused(side(released.refusal), side(current.refusal), false)).toEqual([])
  })
})

describe('the comparison', () => {
  const text = { type: 'string' }
  const object = (properties: object, required: string[]): Described => ({
    type: 'object',
    properties,
    required,
    additionalProperties: false,
  })
  const before = object({ id: { type: 'integer', minimum: 1, maximum: 9 }, name: text }, ['id'])

  it.each([
    [
      'a new optional field of requests',
      'request',
      object({ ...(before.properties as object), more: text }, ['id']),
    ],
    [
      'a new field of answers',
      'response',
      object({ ...(before.properties as object), more: text }, ['id', 'more']),
    ],
  ])('accepts %s', (_, part, now) => {
    expect(refusedPart(part, before, now)).toEqual([])
  })

  const id = (schema: object) => object({ id: schema, name: text }, ['id'])
  it.each([
    [
      'a new required field of requests',
      'request',
      object({ ...(before.properties as object), more: text }, ['id', 'more']),
      '.more: not always there',
    ],
    [
      'a narrower field of requests',
      'request',
      id({ type: 'integer', minimum: 2, maximum: 9 }),
      '.id: minimum 1, expected 2',
    ],

    [
      'a removed optional field of answers',
      'response',
      object({ id: { type: 'integer', minimum: 1, maximum: 9 } }, ['id']),
      '.name: removed',
    ],
  ])('refuses %s', (_, part, now, what) => {
    expect(refusedPart(part, before, now)).toEqual([what])
  })

  it('throws for a keyword that it does not know', () => {
    expect(() => refusedPart('request', before, { ...before, minProperties: 1 })).toThrow('minProperties')
  })
})

it('versionIn reads the version of a header, that of 0.2.0 without one, and none in other texts', () => {
  expect([versionIn('7'), versionIn(undefined), versionIn(null), versionIn('x'), versionIn('')]).toEqual([
    7, 1, 1, 0, 0,
  ])
})
