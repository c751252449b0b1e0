/** Two edges in front of one core: how long they accept a revoked token. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, it } from 'vitest'
import { clientOf } from '../../../bench/harness/client.ts'
import { newToken } from '../../../bench/harness/tokens.ts'
import { listTokens } from '../../../core/metadata/issue-tokens.ts'
import { startEdge } from './edge-process.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** Cache time of tokens at these edges; the default would slow the test. */
const TRUSTED_MS = 2_000

const OWNER = `revoked ${process.pid}`

it('a revoked token is refused by every edge after TOKEN_TRUSTED_MS', async () => {
  const data = inject('data')
  const anEdge = () => startEdge(data, [inject('core')], { TOKEN_TRUSTED_MS: String(TRUSTED_MS) })
  const edges = await Promise.all([anEdge(), anEdge()])
  const token = newToken(data, OWNER)
  const statuses = () =>
    Promise.all(edges.map(async edge => (await clientOf(edge, token)('GET', '/v0/galleries')).status))
  expect(await statuses()).toEqual([200, 200])

  const { id } = (await listTokens(data)).find(({ owner }) => owner === OWNER)!
  const command = [join(ROOT, 'commands', 'mien.js'), 'token', 'revoke', id, '--data', data]
  expect(spawnSync(process.execPath, command).status).toBe(0)
  await sleep(TRUSTED_MS)
  expect(await statuses()).toEqual([401, 401])
})
