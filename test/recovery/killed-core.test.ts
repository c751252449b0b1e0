/** Two cores on one database and one shard, killed in turn while an edge asks them: all is answered, and nothing is there twice. */
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { clientOf, form, sample } from '../../bench/harness/client.ts'
import { startDatabaseServer } from '../../bench/harness/database-server.ts'
import { openSecrets } from '../../core/configuration/secrets.ts'
import { createToken } from '../../core/metadata/issue-tokens.ts'
import { startEdge } from '../service/edge/edge-process.ts'
import { type Core, startCore } from '../unit/core/core-process.ts'
import { temporaryFolder } from '../unit/core/folder.ts'

/** What it says is read to the end: it would stand still otherwise. */
function started(data: string, environment: Record<string, string>): Core {
  const core = startCore(data, environment)
  core.child.stdout!.resume()
  return core
}

const urlOf = async ({ port }: Core) => `http://127.0.0.1:${await port}`

/** Two cores that keep everything in common, but for pictures, of which there are none. */
async function sharing() {
  const database = await startDatabaseServer()
  onTestFinished(() => database.remove())
  const shard = await urlOf(started(await temporaryFolder(), {}))
  const folders = [await temporaryFolder(), await temporaryFolder()]
  const token = await createToken({
    data: folders[0]!,
    owner: 'ann',
    name: '',
    database: { url: database.url },
  })
  const list = join(folders[0]!, 'shards.json')
  await writeFile(list, JSON.stringify([{ address: shard, cells: '0-1023' }]))
  await openSecrets(folders[0]!)
  await cp(join(folders[0]!, 'secrets.json'), join(folders[1]!, 'secrets.json'))
  const environment = {
    MIEN_DATABASE_URL: database.url,
    MIEN_SHARDS: list,
    MIEN_STORE_PICTURES: 'false',
    MIEN_PERSON_IDENTIFY: 'true',
  }
  const cores = folders.map(data => started(data, environment))
  const urls = await Promise.all(cores.map(urlOf))
  const edge = await startEdge(folders[0]!, urls)
  const restart = async (which: number): Promise<void> => {
    const port = new URL(urls[which]!).port
    const core = started(folders[which]!, { ...environment, MIEN_CORE_PORT: port })
    await core.port
    cores[which] = core
  }
  return { api: clientOf(edge, token), cores, restart }
}

it('cores that are killed in turn fail no request that may be repeated', { timeout: 300_000 }, async () => {
  const { api, cores, restart } = await sharing()
  const photo = await sample(3)
  const wrong: unknown[] = []
  const answered = new Map<number, string>()
  let lists = 0
  let posts = 0
  let goesOn = true
  const listing = async () => {
    while (goesOn) {
      const { status, body } = await api('GET', '/v0/galleries')
      if (status === 200) lists++
      else wrong.push({ list: status, body })
    }
  }
  const posting = async () => {
    while (goesOn) {
      const meta = `post ${posts++}`
      const { status, body } = await api('POST', '/v0/face', form({ photo, meta }), {
        'idempotency-key': meta,
      })
      if (status === 200) answered.set(body.results[0].id, meta)
      else wrong.push({ post: status, body })
    }
  }
  const more = async () => {
    const before = { lists, answered: answered.size }
    while (lists < before.lists + 5 || answered.size < before.answered + 5) await sleep(20)
  }
  const load = Promise.all([listing(), listing(), posting(), posting(), posting(), posting()])
  for (const which of [0, 1]) {
    await more()
    cores[which]!.child.kill('SIGKILL')
    await cores[which]!.exit
    await more()
    await restart(which)
    await more()
  }
  goesOn = false
  await load
  expect(wrong).toEqual([])

  const faces: { id: number; meta: string; person_id: number }[] = []
  for (let next: string | null = '/v0/faces'; next !== null; ) {
    const { body } = await api('GET', next)
    faces.push(...body.results)
    next = body.next_page
  }
  expect(new Map(faces.map(({ id, meta }) => [id, meta]))).toEqual(answered)
  expect(new Set(faces.map(({ meta }) => meta)).size).toBe(posts)
  expect(new Set(faces.map(face => face.person_id)).size).toBe(1)
})
