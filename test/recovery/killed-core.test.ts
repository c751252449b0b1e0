/** Two cores with one database and one shard in PostgreSQL, stopped and killed in turn under load: every request is answered, and nothing is stored twice. */
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { openSecrets } from '#core/configuration/secrets.ts'
import { createToken } from '#core/metadata/access/issue-tokens.ts'
import { clientOf, form, sample } from '#test/support/client.ts'
import { databaseServerOfTest } from '#test/support/servers/database-server.ts'
import { startEdge } from '../service/edge/edge-process.ts'
import { type Core, startCore } from '../unit/core/core-process.ts'
import { temporaryFolder } from '../unit/core/folder.ts'
import { servePglite } from '../unit/core/vector-store/postgres/database.ts'

/** Starts a core and drains its output, because a full pipe would block it. */
function started(data: string, environment: Record<string, string>) {
  const core = startCore(data, environment)
  core.child.stdout!.resume()
  return core
}

const urlOf = async ({ port }: Core) => `http://127.0.0.1:${await port}`

/** Two cores that share everything and store no pictures. */
async function sharing() {
  const database = await databaseServerOfTest()
  const postgres = await servePglite()
  onTestFinished(() => postgres.close())
  const folders = [await temporaryFolder(), await temporaryFolder()]
  const token = await createToken({
    data: folders[0]!,
    owner: 'ann',
    name: '',
    database: { url: database.url },
  })
  const list = join(folders[0]!, 'shards.json')
  await writeFile(list, JSON.stringify([{ address: postgres.base, cells: '0-1023' }]))
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
  const restart = async (which: number) => {
    const port = new URL(urls[which]!).port
    const core = started(folders[which]!, { ...environment, MIEN_CORE_PORT: port })
    await core.port
    cores[which] = core
  }
  return { api: clientOf(edge, token), cores, restart }
}

it('two cores stopped in turn fail no request; killed in turn they fail no repeatable one and store no face twice', {
  tags: 'long',
  timeout: 600_000,
}, async () => {
  const { api, cores, restart } = await sharing()
  const photo = await sample(3)
  const wrong: unknown[] = []
  const answered = new Map<number, string>()
  let lists = 0
  let posts = 0
  const list = async () => {
    const { status, body } = await api('GET', '/v0/galleries')
    if (status === 200) lists++
    else wrong.push({ list: status, body })
  }
  const posting = (isKeyed: boolean) => async () => {
    const meta = `post ${posts++}`
    const headers = isKeyed ? { 'idempotency-key': meta } : undefined
    const { status, body } = await api('POST', '/v0/face', form({ photo, meta }), headers)
    if (status === 200) answered.set(body.results[0].id, meta)
    else wrong.push({ post: status, body })
  }
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const post = posting(signal === 'SIGKILL')
    const load = startLoad([list, post, post])
    const more = () => {
      const before = { lists, answered: answered.size }
      return load.until(() => lists >= before.lists + 2 && answered.size >= before.answered + 2)
    }
    for (const which of [0, 1]) {
      await more()
      cores[which]!.child.kill(signal)
      const end = await cores[which]!.exit
      if (signal === 'SIGTERM') expect(end).toEqual([0, null])
      await more()
      await restart(which)
    }
    await more()
    await load.stop()
    expect({ signal, wrong }).toEqual({ signal, wrong: [] })
  }

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

interface Load {
  /** Resolves when the condition holds. Rejects with the error of a task that failed. */
  until(condition: () => boolean): Promise<void>
  /** Resolves when the last run of each task has ended. Rejects with the first error of a task. */
  stop(): Promise<void>
}

/** Repeats each task, one run after the other. A task ends with its first error. The end of the test stops the load. */
function startLoad(tasks: readonly (() => Promise<void>)[]): Load {
  const errors: unknown[] = []
  let stopped = false
  const repeat = async (task: () => Promise<void>) => {
    try {
      while (!stopped) await task()
    } catch (error) {
      errors.push(error)
    }
  }
  const ended = Promise.all(tasks.map(repeat))
  const stop = async () => {
    stopped = true
    await ended
  }
  const throwFirst = () => {
    if (errors.length > 0) throw errors[0]
  }
  onTestFinished(stop)
  return {
    async until(condition) {
      while (!condition()) {
        throwFirst()
        await sleep(20)
      }
    },
    async stop() {
      await stop()
      throwFirst()
    },
  }
}
