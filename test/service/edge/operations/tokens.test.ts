/** Tokens by the API. */
import { describe, expect, inject, it } from 'vitest'
import { clientOf } from '../../../../bench/harness/client.ts'
import { newToken } from '../../../../bench/harness/tokens.ts'
import { permissionsOf, SCOPES } from '../../../../core/contract/model/scope.ts'

const OWNER = `tokens ${process.pid}`

describe('GET /token', () => {
  it.each(SCOPES)('answers the token of the request with what its scope allows: %s', async scope => {
    const token = newToken(inject('data'), OWNER, '--scope', scope, '--name', 'front door')
    for (const version of ['v0', 'v1']) {
      const { status, body } = await clientOf(inject('edge'), token)('GET', `/${version}/token`)
      expect(status).toBe(200)
      const permissions = permissionsOf(scope)
      expect(body).toMatchObject({ name: 'front door', scope, owner: OWNER, valid: true, permissions })
      expect(body).not.toHaveProperty('expires')
      expect(JSON.stringify(body)).not.toContain('mien_')
    }
  })

  it('answers when the token expires', async () => {
    const token = newToken(inject('data'), OWNER, '--expires', '2090-01-31')
    const { body } = await clientOf(inject('edge'), token)('GET', '/token')
    expect(body.expires).toBe('2090-01-31T00:00:00.000000')
  })
})
