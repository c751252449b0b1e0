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
  it('are out of reach for other owners', async () => {
    const { id, token } = await create({ scope: 'admin' })
    expect((await other('POST', `/v1/tokens/${id}/rotate`)).status).toBe(404)
    expect((await other('DELETE', `/v1/tokens/${id}`)).status).toBe(404)
    expect((await clientOf(inject('edge'), token)('GET', '/v1/galleries')).status).toBe(200)
  })

  it('have a least rate', async () => {
    const { status, body } = await api('POST', '/v1/tokens', { scope: 'read', rate: 1e-300 })
    expect([status, body.code, body.param]).toEqual([400, 'BAD_PARAM', 'rate'])
    const { token } = await create({ rate: 0.001 })
    const limited = clientOf(inject('edge'), token)
    await limited('GET', '/v1/galleries')
    expect((await limited('GET', '/v1/galleries')).status).toBe(429)
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
