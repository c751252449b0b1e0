/** Tokens by the API. */
import { inject } from 'vitest'
import { permissionsOf, SCOPES } from '#contract/model/token.ts'
import { clientOf } from '#test/support/client.ts'
import { newToken } from '#test/support/tokens.ts'

const OWNER = `tokens ${process.pid}`

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
