/** An edge beside its core refuses a revoked token at once. */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { listTokens } from '#core/metadata/access/issue-tokens.ts'
import { clientOf } from '#test/support/client.ts'
import { ROOT } from '#test/support/root.ts'
import { newToken } from '#test/support/tokens.ts'

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
