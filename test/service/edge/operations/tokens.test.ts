/** Tokens by the API. */
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { clientOf, type Send } from '#bench/harness/client.ts'
import { newToken } from '#bench/harness/tokens.ts'
import { permissionsOf, SCOPES } from '#contract/model/token.ts'
import { nextEntries } from '#core/metadata/audit-log/entries.ts'
import { closeDatabase, openDatabase } from '#core/metadata/database.ts'

const OWNER = `tokens ${process.pid}`
const OTHER = `other tokens ${process.pid}`

let api: Send
let other: Send
beforeAll(() => {
  api = clientOf(inject('edge'), newToken(inject('data'), OWNER))
  other = clientOf(inject('edge'), newToken(inject('data'), OTHER))
})

const create = async (parameters: object = {}) => {
  const { status, body } = await api('POST', '/v1/tokens', { scope: 'read', ...parameters })
  expect(status).toBe(201)
  return body as { id: string; token: string; name: string }
}

const statusOf = async (token: string): Promise<number> =>
  (await clientOf(inject('edge'), token)('GET', '/v1/galleries')).status

describe('GET /token', () => {
  it.each(SCOPES)('answers the token of the request with what its scope allows: %s', async scope => {
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
})

describe('the tokens of an owner', { tags: 'long' }, () => {
  it('POST creates a token that works at once, and answers its text once', async () => {
    const { token, id, ...rest } = await create({ name: 'gate', scope: 'camera', rate: 2.5 })
    expect(token).toMatch(/^mien_[0-9A-Za-z]{40}[0-9a-f]{6}$/)
    expect(rest).toMatchObject({ name: 'gate', scope: 'camera', rate: 2.5, valid: true })
    const own = await clientOf(inject('edge'), token)('GET', '/v1/token')
    expect(own.body).toMatchObject({ id, owner: OWNER, scope: 'camera' })
    expect(await statusOf(token)).toBe(403)
    expect(JSON.stringify(await api('GET', '/v1/tokens'))).not.toContain('mien_')
  })

  it('are out of reach for other owners, and for other scopes', async () => {
    const { id, token } = await create({ scope: 'admin' })
    const reader = clientOf(inject('edge'), (await create()).token)
    for (const [send, status] of [
      [other, 404],
      [reader, 403],
    ] as const) {
      expect((await send('POST', `/v1/tokens/${id}/rotate`)).status).toBe(status)
      expect((await send('DELETE', `/v1/tokens/${id}`)).status).toBe(status)
    }
    for (const path of ['/v1/tokens', '/v1/audit-log', '/v1/audit-log/verification', '/v1/service'])
      expect((await reader('GET', path)).status).toBe(403)
    expect((await reader('POST', '/v1/tokens', { scope: 'read' })).status).toBe(403)
    expect(await statusOf(token)).toBe(200)
  })

  it('are in the audit log by their ids, and their texts are nowhere in it', async () => {
    const { id, token } = await create({ name: 'a secret name' })
    const rotated = (await api('POST', `/v1/tokens/${id}/rotate`)).body
    await api('DELETE', `/v1/tokens/${rotated.id}`)
    const { id: by } = (await api('GET', '/v1/token')).body
    const { results } = (await api('GET', '/v1/audit-log?limit=3')).body
    expect(results).toMatchObject([
      { actor: `token ${by}`, action: 'token.revoke', subject: { token: rotated.id } },
      { actor: `token ${by}`, action: 'token.rotate', subject: { token: id, next: rotated.id } },
      { actor: `token ${by}`, action: 'token.create', subject: { token: id } },
    ])
    const database = await openDatabase(inject('data'))
    const log = JSON.stringify(await nextEntries(database, results.at(-1).seq - 1, 100))
    await closeDatabase(database)
    for (const secret of [token, rotated.token, 'a secret name']) expect(log).not.toContain(secret)
  })
})
