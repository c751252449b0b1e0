/** Declarations of operations: permissions, and messages that the parameters fit. */
import type { ZodType } from 'zod'
import { allows, type Scope } from '#contract/model/token.ts'
import released from '#contract/operations/released-messages.json' with { type: 'json' }
import { OPERATIONS } from '#contract/operations/table.ts'
import { requestOf } from '#edge/operations/forward.ts'
import { HANDLERS } from '#edge/operations/handlers.ts'
import { sampleCall } from '#test/support/operation-samples.ts'

const namesFor = (scope: Scope) =>
  OPERATIONS.filter(({ permission }) => allows(scope, permission)).map(({ name }) => name)

const changing = OPERATIONS.filter(({ core }) => core.kind === 'call' && core.audit).map(({ name }) => name)

describe('scopes of tokens', () => {
  it('let a read token change nothing but whether its own browsers show notifications', () => {
    expect(namesFor('read').filter(name => changing.includes(name))).toEqual([
      'subscribeBrowser',
      'unsubscribeBrowser',
    ])
  })

  it('let a camera token post faces and watch cameras, and read nothing else', () => {
    expect(namesFor('camera')).toEqual(
      OPERATIONS.filter(({ permission }) => ['post', 'read_cameras', 'read_token'].includes(permission)).map(
        ({ name }) => name,
      ),
    )
    expect(namesFor('camera').filter(name => changing.includes(name))).toEqual([
      'enrol',
      'putSnapshot',
      'putClip',
    ])
  })

  it('let an enrol token delete single faces only', () => {
    const deleting = OPERATIONS.filter(({ method }) => method === 'delete').map(({ name }) => name)
    expect(namesFor('enrol').filter(name => deleting.includes(name))).toEqual([
      'deleteFace',
      'releaseCamera',
      'unsubscribeBrowser',
    ])
  })

  it('let a manage token call all operations except access and the service', () => {
    const left = OPERATIONS.filter(({ name }) => !namesFor('manage').includes(name)).map(({ topic }) => topic)
    expect(new Set(left)).toEqual(new Set(['Tokens', 'Users', 'Service']))
  })
})

const ID = '0123456789abcdef0123456789abcdef'
const KNOWN = {
  gallery: 'staff',
  meta: 'Ann',
  ids: {
    face: 7,
    faces: 7,
    person: 7,
    persons: 7,
    camera: ID,
    alert: ID,
    alerts: 7,
    notifications: ID,
    tokens: ID.slice(0, 12),
    users: ID.slice(0, 12),
    sessions: ID.slice(0, 12),
  },
}

const FORWARDED = OPERATIONS.filter(({ name }) => !HANDLERS[name])

/** The request to core of a sample call with some parameters. */
function sentOf(operation: (typeof OPERATIONS)[number], isGiven: (parameter: ZodType) => boolean) {
  const { params, inPath, path } = sampleCall(operation, KNOWN)
  const given = Object.entries({ ...params, ...inPath, delivery: '7' }).filter(([name]) => {
    const parameter = (operation.parameters.shape as Record<string, ZodType>)[name]
    return !parameter || isGiven(parameter)
  })
  const request = requestOf(operation, {
    params: operation.parameters.parse(Object.fromEntries(given)),
    caller: { owner: 'a'.repeat(24), token: 'b'.repeat(12), scope: 'admin', gae: true },
    origin: 'https://mien.example',
    path,
  })
  return JSON.parse(JSON.stringify(request))
}

describe('messages of forwarded operations', () => {
  it.each(FORWARDED)('fit the parameters of $name', operation => {
    const sent = sentOf(operation, () => true)
    expect(operation.core.request.safeParse(sent).error?.issues).toBeUndefined()
  })

  it('have fields that a core of the last release refuses only for parameters that are given', () => {
    const known: Record<string, { request: { properties: object } }> = {
      ...released.operations,
      ...released.streams,
    }
    const isRequired = (parameter: ZodType) => !parameter.safeParse(undefined).success
    const refused = FORWARDED.flatMap(operation =>
      operation.core.name in known
        ? Object.keys(sentOf(operation, isRequired)).flatMap(field =>
            field in known[operation.core.name]!.request.properties ? [] : `${operation.name} ${field}`,
          )
        : [],
    )
    expect(refused).toEqual([])
  })
})

it('a recording takes no start that its message cannot carry', () => {
  const { start } = OPERATIONS.find(({ name }) => name === 'putRecording')!.parameters.shape
  const taken = ['0000-01-01', '1960-01-01', '2026-11-27', '9999-12-31'].filter(
    time => start!.safeParse(time).success,
  )
  expect(taken).toEqual(['1960-01-01', '2026-11-27'])
})
