/** Declarations of operations: permissions, and messages that the parameters fit. */
import { describe, expect, it } from 'vitest'
import { allows, SCOPES, type Scope } from '#contract/model/token.ts'
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

  it('let a manage token call everything but what concerns access and the service', () => {
    const left = OPERATIONS.filter(({ name }) => !namesFor('manage').includes(name)).map(({ topic }) => topic)
    expect(new Set(left)).toEqual(new Set(['Tokens', 'Users', 'Service']))
  })

  it('let an admin token call everything', () => {
    expect(namesFor('admin')).toHaveLength(OPERATIONS.length)
    expect(SCOPES).toContain('admin')
  })
})

const ID = '0123456789abcdef0123456789abcdef'
const KNOWN = {
  gallery: 'staff',
  meta: 'Ann',
  ids: {
    ...{ face: 7, faces: 7, person: 7, persons: 7, camera: ID, alert: ID, alerts: 7, notifications: ID },
    ...{ tokens: ID.slice(0, 12), users: ID.slice(0, 12), sessions: ID.slice(0, 12) },
  },
}

describe('messages of forwarded operations', () => {
  it.each(OPERATIONS.filter(({ name }) => !HANDLERS[name]))('fit the parameters of $name', operation => {
    const { params, inPath, path } = sampleCall(operation, KNOWN)
    const request = requestOf(operation, {
      params: operation.parameters.parse({ ...params, ...inPath, delivery: '7' }),
      caller: { owner: 'a'.repeat(24), token: 'b'.repeat(12), scope: 'admin', gae: true },
      origin: 'https://mien.example',
      path,
    })
    const sent = JSON.parse(JSON.stringify(request))
    expect(operation.core.request.safeParse(sent).error?.issues).toBeUndefined()
  })
})
