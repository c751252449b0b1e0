/** Two edges on one core: what they let in, and for how long after it was revoked. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, it, onTestFinished } from 'vitest'
import { startChild } from '../../commands/child.ts'
import type { EdgeSettings } from '../../commands/serve-edge.ts'
import { openSecrets } from '../../core/configuration/secrets.ts'
import { listTokens } from '../../core/metadata/issue-tokens.ts'
import { clientOf } from '../client.ts'
import { newToken } from '../global-service.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** How long these edges believe core: the bound, but for the test's patience. */
const TRUSTED_MS = 2_000

const OWNER = `revoked ${process.pid}`

async function startEdge(): Promise<string> {
  const data = inject('data')
  const settings: EdgeSettings = {
    host: '127.0.0.1',
    port: 0,
    bindings: {
      CORE_URL: inject('core'),
      EDGE_SECRET: (await openSecrets(data)).edge[0].key,
      TOKEN_TRUSTED_MS: String(TRUSTED_MS),
    },
    data,
    pack: 'standard',
  }
  const edge = await startChild({
    name: 'an edge of a test',
    script: join(ROOT, 'commands', 'serve-edge.ts'),
    env: { MIEN_EDGE_SETTINGS: JSON.stringify(settings) },
  })
  onTestFinished(() => edge.stop(5_000))
  return `http://127.0.0.1:${edge.port}`
}

it('a revoked token is refused by both edges once the time is over for which they believe core', async () => {
  const edges = await Promise.all([startEdge(), startEdge()])
  const data = inject('data')
  const token = newToken(data, OWNER)
  const statuses = () =>
    Promise.all(edges.map(async edge => (await clientOf(edge, token)('GET', '/v0/galleries')).status))
  expect(await statuses()).toEqual([200, 200])

  const { id } = (await listTokens(data)).find(({ owner }) => owner === OWNER)!
  const command = [join(ROOT, 'commands', 'token.ts'), 'revoke', id, '--data', data]
  expect(spawnSync(process.execPath, command).status).toBe(0)
  await sleep(TRUSTED_MS)
  expect(await statuses()).toEqual([401, 401])
})
