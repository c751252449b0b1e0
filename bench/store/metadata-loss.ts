/** Measures acknowledged faces that are gone when a libSQL server loses its disk and is restored from its bucket. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEFAULT_GALLERY, storeGallery } from '#contract/model/gallery.ts'
import { faceCount, faceKeysOf } from '#core/metadata/queries/faces.ts'
import { ownerNamed } from '#core/metadata/queries/owners.ts'
import { enrol } from '#core/operations/enrol.ts'
import { openStores, type Services, servicesOf } from '#core/operations/services.ts'
import { fixed, numbers, type Outcome, progress, table } from '../benchmark.ts'
import { startDatabaseServer } from '../harness/database-server.ts'
import { enrolment, faceOf, given, OWNER } from '../harness/sample-faces.ts'
import { hasSwift, KEYS, type Swift, startSwift } from '../harness/swift.ts'

export const description = 'faces that are lost with the disk of a libSQL server that copies to a bucket'

export const options = {
  seconds: { type: 'string' },
  intervals: { type: 'string' },
  rounds: { type: 'string' },
  stop: { type: 'boolean' },
} as const

/** Seconds of enrolments before the loss, at least. */
const SECONDS = 20
/** Seconds between two copies to the bucket; 15 is the default of sqld. */
const INTERVALS = '15,5,1'
const ROUNDS = 3
const CALLERS = 4
/** Milliseconds between two enrolments of a caller. */
const PAUSE_MS = 50

/** A post with the key `key`. `id` is the face and `at` the time of the answer in milliseconds, if it was acknowledged. */
interface Post {
  key: string
  id?: number
  at: number
}

interface Loss {
  interval: number
  acknowledged: number
  lost: number
  /** Seconds from the answer for the first lost face to the loss of the disk. */
  seconds: number
  /** Vectors of lost faces that the shards still have. */
  vectorsKept: number
  /** Seconds until the restored server answers. */
  restoreSeconds: number
  /** Posts without a face, and faces that are there twice, after the callers have repeated all posts. */
  lostAfterRepetition: number
  doubled: number
}

export async function run(values: Record<string, string | boolean | undefined>): Promise<Outcome> {
  if (!hasSwift) return { table: 'skipped: it needs Swift of Debian', result: { skipped: true } }
  const [seconds, rounds] = [Number(values.seconds ?? SECONDS), Number(values.rounds ?? ROUNDS)]
  const swift = await startSwift()
  const losses: Loss[] = []
  try {
    for (const interval of numbers(String(values.intervals ?? INTERVALS)))
      for (let round = 0; round < rounds; round++) {
        progress(`  copies every ${interval} s, round ${round + 1}`)
        // Each round loses the disk at another moment of an interval.
        const ms = (seconds + (round * interval) / rounds) * 1000
        losses.push(await loseOnce(swift, interval, ms, values.stop === true))
      }
  } finally {
    await swift.stop()
  }
  const head = [
    'copies every, s',
    'acknowledged',
    'lost',
    'seconds lost',
    'vectors kept',
    'restored after, s',
    'lost after repetition',
    'doubled',
  ]
  const rows = losses.map(loss => [
    loss.interval,
    loss.acknowledged,
    loss.lost,
    fixed(loss.seconds),
    loss.vectorsKept,
    fixed(loss.restoreSeconds),
    loss.lostAfterRepetition,
    loss.doubled,
  ])
  return { table: table([head, ...rows]), result: { losses } }
}

/** Enrols for `ms`, loses the server with its disk, and restores it. `isStopped`: the server is stopped before. */
async function loseOnce(swift: Swift, interval: number, ms: number, isStopped: boolean): Promise<Loss> {
  const folder = await mkdtemp(join(tmpdir(), 'mien-bench-'))
  const server = await startDatabaseServer({
    args: ['--enable-bottomless-replication'],
    env: copiedTo(swift.origin, await swift.makeBucket(), interval),
  })
  const stores = await openStores(folder, { database: { url: server.url } })
  try {
    const services = { ...servicesOf(stores, given), keep: { pictures: false, photoNames: true } }
    await ownerNamed(services.database, { id: OWNER, name: 'bench', created: 0 })
    const load = startLoad(services)
    await sleep(ms)
    if (isStopped) await server.stop()
    const lostAt = performance.now()
    await server.lose()
    const posts = await load.stop()
    const began = performance.now()
    await server.start()
    const restoreSeconds = (performance.now() - began) / 1000
    const loss = await lossOf(services, posts, lostAt)
    return { interval, ...loss, restoreSeconds, ...(await repeatAll(services, posts)) }
  } finally {
    await stores.close()
    await server.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

const copiedTo = (endpoint: string, bucket: string, interval: number): Record<string, string> => ({
  LIBSQL_BOTTOMLESS_DATABASE_ID: 'mien',
  LIBSQL_BOTTOMLESS_ENDPOINT: endpoint,
  LIBSQL_BOTTOMLESS_BUCKET: bucket,
  LIBSQL_BOTTOMLESS_AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
  LIBSQL_BOTTOMLESS_AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
  LIBSQL_BOTTOMLESS_AWS_DEFAULT_REGION: 'us-east-1',
  LIBSQL_BOTTOMLESS_BATCH_INTERVAL_SECS: String(interval),
})

const FACE = faceOf(1, 2, 3)

const post = (services: Services, key: string) =>
  enrol(services, enrolment(1, { idempotency: { key, requestHash: key } }), [FACE])

/** Callers that enrol until `stop`, each post under its own key. */
function startLoad(services: Services): { stop(): Promise<Post[]> } {
  const posts: Post[] = []
  let isStopped = false
  const caller = async (_: unknown, number: number) => {
    for (let i = 0; !isStopped; i++) {
      const key = `${number}-${i}`
      const answer = await post(services, key).catch(() => undefined)
      posts.push({ key, at: performance.now(), ...(answer && { id: answer.faces[0]!.id }) })
      await sleep(PAUSE_MS)
    }
  }
  const callers = Promise.all(Array.from({ length: CALLERS }, caller))
  return {
    async stop() {
      isStopped = true
      await callers
      return posts
    },
  }
}

async function lossOf(
  { database, vectors }: Services,
  posts: readonly Post[],
  lostAt: number,
): Promise<Pick<Loss, 'acknowledged' | 'lost' | 'seconds' | 'vectorsKept'>> {
  const acknowledged = posts.flatMap(({ id, at }) => (id === undefined ? [] : [{ id, at }]))
  const rows = await faceKeysOf(
    database,
    acknowledged.map(({ id }) => id),
  )
  const kept = new Set(rows.map(({ id }) => id))
  const lost = acknowledged.filter(({ id }) => !kept.has(id))
  const gallery = storeGallery(OWNER, DEFAULT_GALLERY)
  const found = await Promise.all(lost.map(({ id }) => vectors.get({ gallery, id })))
  return {
    acknowledged: acknowledged.length,
    lost: lost.length,
    seconds: lost.length === 0 ? 0 : (lostAt - Math.min(...lost.map(({ at }) => at))) / 1000,
    vectorsKept: found.filter(vector => vector !== undefined).length,
  }
}

/** The callers repeat all posts under their keys, as callers do that keep their posts until they are copied. */
async function repeatAll(
  services: Services,
  posts: readonly Post[],
): Promise<Pick<Loss, 'lostAfterRepetition' | 'doubled'>> {
  const ids = new Set<number>()
  for (const { key } of posts) ids.add((await post(services, key)).faces[0]!.id)
  const kept = await faceKeysOf(services.database, [...ids])
  const total = await faceCount(services.database, OWNER)
  return { lostAfterRepetition: posts.length - kept.length, doubled: total - kept.length }
}
