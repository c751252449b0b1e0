/** The messages of the last release (released-messages.json, by `npm run messages`) and of this program fit together. */
import {
  type Described,
  type DescribedMessages,
  describeMessages,
  type MessageDescription,
} from '#contract/operations/described-messages.ts'
import document from '#contract/operations/released-messages.json' with { type: 'json' }
import { RPC_VERSION, versionIn } from '#contract/rpc/message-headers.ts'
import { refusals } from '../rpc/compatible.ts'

const released: MessageDescription = document
const current = describeMessages(RPC_VERSION)

const side = (schema: Described) => ({ schema, document: schema })

/** The refused part of a message between this program and an earlier edge: a request of the edge, or the answer to it. */
function refusedPart(part: string, earlier: Described, now: Described) {
  return part === 'request'
    ? refusals(side(now), side(earlier), false)
    : refusals(side(earlier), side(now), true)
}

const refusedMessages = (earlier: DescribedMessages, now: DescribedMessages) =>
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
  it('are one version behind the messages of this program', () => {
    expect(released.version).toBe(RPC_VERSION - 1)
  })

  it.each(ALL)('of %s fit the messages of this program', (name, messages, now) => {
    expect(now[name], 'operations stay').toBeDefined()
    expect(refusedMessages(messages, now[name]!)).toEqual(HARMLESS[name] ?? [])
  })

  it('have refusals that the last release reads', () => {
    expect(refusals(side(released.refusal), side(current.refusal), false)).toEqual([])
  })
})

it('versionIn reads the version of a header, takes the version of 0.2.0 without one, and finds none in other texts', () => {
  expect([versionIn('7'), versionIn(undefined), versionIn(null), versionIn('x'), versionIn('')]).toEqual([
    7, 1, 1, 0, 0,
  ])
})
