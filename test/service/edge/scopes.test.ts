/** Scopes of tokens: every operation with a token of every scope. */
import { request } from 'node:http'
import { inject } from 'vitest'
import { allows, SCOPES } from '#contract/model/token.ts'
import { OPERATIONS, type Operation } from '#contract/operations/table.ts'
import type { Send } from '#test/support/client.ts'
import { newToken } from '#test/support/tokens.ts'
import { apiOf } from './shared.ts'

const OWNER = `scopes ${process.pid}`

const PREFIXES = ['/v0', '/v1', '']

/** A stream that does not end, and a change that core refuses to one of several owners. */
const UNCALLED = ['followViewers', 'renewEvidenceKey']

/** A path with ids that do not exist. */
const pathOf = (path: string) => path.replace(/:\w+/g, '404')

describe.each(SCOPES)('a token of the scope %s', scope => {
  let api: Send
  beforeAll(() => {
    api = apiOf(OWNER, { scope })
  })

  const allowed = ({ permission }: Operation) => allows(scope, permission)

  it.each(OPERATIONS.filter(one => allowed(one) && !UNCALLED.includes(one.name)))(
    'may call $name',
    async ({ name, method, path, aliases = [] }) => {
      // A stream does not end. A parameter is refused after the scope was checked.
      const query = name === 'followEvents' ? '?last_event_id=none' : ''
      for (const one of [path, ...aliases]) {
        const { status } = await api(method.toUpperCase(), `/v0${pathOf(one)}${query}`)
        expect([200, 201, 204, 400, 404, 409]).toContain(status)
      }
    },
  )

  // Each operation at one of the prefixes, which all have the same routes.
  it.each(
    OPERATIONS.filter(operation => !allowed(operation)).map((one, i) => ({
      ...one,
      prefix: PREFIXES[i % 3],
    })),
  )('may not call $name, at any path', async ({ method, prefix, path, aliases = [] }) => {
    for (const one of [path, ...aliases]) {
      const { status, body } = await api(method.toUpperCase(), `${prefix}${pathOf(one)}/`)
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'FORBIDDEN' })
    }
  })
})

it.each([
  ['camera', '/v0/detect'],
  ['read', '/v0/face'],
] as const)(
  'an operation outside the scope is refused to %s at %s before the body is read',
  async (scope, path) => {
    const token = newToken(inject('data'), OWNER, { scope })
    expect(await statusOfSilence(path, token)).toBe(403)
  },
)

/** The status of the answer to a request that announces a body and sends nothing. */
const statusOfSilence = (path: string, token: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asked = request(`${inject('edge')}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Token ${token}`,
        'content-type': 'application/json',
        'content-length': 1000,
      },
    })
    asked.on('response', ({ statusCode }) => {
      resolve(statusCode)
      asked.destroy()
    })
    asked.on('error', reject)
    asked.flushHeaders()
  })
