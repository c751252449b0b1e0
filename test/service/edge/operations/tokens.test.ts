/** Tokens by the API. */
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { permissionsOf, SCOPES } from '#contract/model/token.ts'
import { nextEntries } from '#core/metadata/audit-log/entries.ts'
import { closeDatabase, openDatabase } from '#core/metadata/database.ts'
import { clientOf, type Send } from '#test/support/client.ts'
import { newToken } from '#test/support/tokens.ts'

const OWNER = `tokens ${process.pid}`

let api: Send
beforeAll(() => {
  api = clientOf(inject('edge'), newToken(inject('data'), OWNER))
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
