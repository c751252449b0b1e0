/** An edge with several workers in front of a real core: one worker is busy, or dies. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { startChild } from '#commands/processes/child.ts'
import type { EdgeSettings } from '#commands/processes/serve-edge.ts'
import { openSecrets } from '#core/configuration/secrets.ts'
import { clientOf, form, sample } from '#test/support/client.ts'

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
  const env = { MIEN_EDGE_SETTINGS: JSON.stringify(settings), MIEN_TEST_EDGE: String(process.pid) }
  const edge = await startChild({ name: 'an edge of two workers', script: SCRIPT, env })
  onTestFinished(() => edge.stop(5_000))
  return clientOf(`http://127.0.0.1:${edge.port}`, inject('token'))
}

/** Process ids of the workerd processes of this test. */
async function workerds(): Promise<number[]> {
  const found = []
  for (const pid of (await readdir('/proc')).filter(name => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    if (/workerd\0serve/.test(command) && environment.includes(`MIEN_TEST_EDGE=${process.pid}\0`))
      found.push(Number(pid))
  }
  return found
}

/** CPU time of a process, in ticks. */
async function ticksOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

describe.skipIf(process.platform !== 'linux')('an edge with two workers', { tags: 'long' }, () => {
  it('serves other requests while one worker analyses a crowd, and answers 504 to the requests of one that dies', async () => {
    const api = await edgeOfTwo()
    let isDone = false
    const crowd = api('POST', '/v0/detect', form({ photo: await sample(2) })).finally(() => (isDone = true))
    const portrait = await sample(1)
    for (let i = 0; i < 3; i++) {
      expect((await api('GET', '/v0/galleries')).status).toBe(200)
      expect((await api('GET', '/healthz')).status).toBe(200)
    }
    expect(isDone).toBe(false)
    expect((await api('POST', '/v0/detect', form({ photo: portrait }))).status).toBe(200)
    expect((await crowd).status).toBe(200)

    const pids = await workerds()
    expect(pids).toHaveLength(2)
    const before = await Promise.all(pids.map(ticksOf))
    const lost = api('POST', '/v0/detect', form({ photo: await sample(2) }))
    let busy = -1
    while (busy < 0) {
      const now = await Promise.all(pids.map(ticksOf))
      busy = now.findIndex((ticks, i) => ticks - before[i]! > 20)
    }
    process.kill(pids[busy]!, 'SIGKILL')
    for (let i = 0; i < 10; i++) expect((await api('GET', '/v0/galleries')).status).toBe(200)
    const { status, body } = await lost
    expect([status, body.code]).toEqual([504, 'OUTCOME_UNKNOWN'])
    await expect.poll(async () => (await workerds()).length, { timeout: 30_000 }).toBe(2)
  })
})
