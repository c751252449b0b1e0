/** An edge with several workers in front of a real core: one worker dies. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { startChild } from '#commands/processes/child.ts'
import type { EdgeSettings } from '#commands/processes/serve-edge.ts'
import { openSecrets } from '#core/configuration/secrets.ts'
import { clientOf } from '#test/support/client.ts'

const SCRIPT = join(import.meta.dirname, '..', '..', '..', '..', 'commands', 'processes', 'serve-edge.ts')

/** An edge with two workers in front of the shared core. */
async function edgeOfTwo() {
  const data = inject('data')
  const bindings = { CORE_URL: inject('core'), EDGE_SECRET: (await openSecrets(data)).edge[0].key }
  const settings: EdgeSettings = {
    host: '127.0.0.1',
    port: 0,
    workers: 2,
    trustedProxies: '',
    bindings,
    data,
    pack: 'standard',
  }
  const env = { MIEN_TEST_EDGE: String(process.pid) }
  const edge = await startChild({ name: 'an edge of two workers', script: SCRIPT, env, message: settings })
  onTestFinished(() => edge.stop(5_000))
  return clientOf(`http://127.0.0.1:${edge.port}`, inject('token'))
}

/** Process ids of the workerd processes of this test. */
async function workerds() {
  const found = []
  for (const pid of (await readdir('/proc')).filter(name => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    if (/workerd\0serve/.test(command) && environment.includes(`MIEN_TEST_EDGE=${process.pid}\0`))
      found.push(Number(pid))
  }
  return found
}

it.skipIf(process.platform !== 'linux')(
  'an edge with two workers serves requests while one of them is dead, which starts again',
  { tags: 'long' },
  async () => {
    const api = await edgeOfTwo()
    const before = await workerds()
    expect(before).toHaveLength(2)
    process.kill(before[0]!, 'SIGKILL')
    for (let i = 0; i < 10; i++) await expect(api('GET', '/v0/galleries')).toAnswer(200)
    const started = async () => (await workerds()).filter(pid => pid !== before[0])
    await expect.poll(started).toHaveLength(2)
  },
)
