/** Tokens over HTTP: their facts, their rates, and their end at an edge beside its core. */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { permissionsOf, SCOPES } from '#contract/model/token.ts'
import { listTokens } from '#core/metadata/access/issue-tokens.ts'
import { clientOf } from '#test/support/client.ts'
import { ROOT } from '#test/support/root.ts'
import { newToken } from '#test/support/tokens.ts'

const OWNER = `tokens ${process.pid}`

it.each(SCOPES)('GET /token answers the token of the request with its permissions: %s', async scope => {
  const token = newToken(inject('data'), OWNER, { scope, name: 'front door' })
  for (const version of ['v0', 'v1']) {
    const { status, body } = await clientOf(inject('edge'), token)('GET', `/${version}/token`)
    expect(status).toBe(200)
    const permissions = permissionsOf(scope)
    expect(body).toMatchObject({ name: 'front door', scope, owner: OWNER, valid: true, permissions })
    expect(body).not.toHaveProperty('expires')
    expect(JSON.stringify(body)).not.toContain('mien_')
  }
})

it('a token beyond its rate gets 429 and is served again after Retry-After seconds', {
  tags: 'long',
}, async () => {
  const token = newToken(inject('data'), `rated ${process.pid}`, { rate: 1 })
  const api = clientOf(inject('edge'), token)
  await expect(api('GET', '/v0/galleries')).toAnswer(200)
  const { status, headers, body } = await api('GET', '/v0/galleries')
  expect({ status, code: body.code }).toEqual({ status: 429, code: 'RATE_LIMITED' })
  const seconds = Number(headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  await sleep(seconds * 1000)
  await expect(api('GET', '/v0/galleries')).toAnswer(200)
})

it('an edge beside its core refuses a token at once that any way ends', { tags: 'long' }, async () => {
  const data = inject('data')
  const edge = inject('edge')
  const owner = `ended ${process.pid}`
  const mien = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(ROOT, 'commands', 'mien.js'), ...args, '--data', data])
  const admin = clientOf(edge, newToken(data, owner))
  const tokens = [1, 2, 3].map(() => newToken(data, owner, { scope: 'read' }))
  const statusOf = async (token: string) => (await clientOf(edge, token)('GET', '/v0/galleries')).status
  for (const token of tokens) expect(await statusOf(token)).toBe(200)
  const [first, second] = (await listTokens(data))
    .filter(stored => stored.owner === owner && stored.scope === 'read')
    .map(({ id }) => id)

  expect((await mien('token', 'revoke', first!)).stdout).toContain('is revoked')
  expect(await statusOf(tokens[0]!)).toBe(401)
  await expect(admin('DELETE', `/v1/tokens/${second}`)).toAnswer(204)
  expect(await statusOf(tokens[1]!)).toBe(401)
  await mien('owner', 'delete', owner, '--yes')
  expect(await statusOf(tokens[2]!)).toBe(401)
})
