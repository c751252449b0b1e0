/** Measures acknowledged faces that are gone when a libSQL server loses its disk and is restored from its bucket. */
import { setTimeout as sleep } from 'node:timers/promises'
import { DEFAULT_GALLERY, storeGallery } from '#contract/model/gallery.ts'
import { faceCount, faceKeysOf } from '#core/metadata/queries/faces.ts'
import type { Services } from '#core/operations/services.ts'
import { benchmark, need, numbers, progress } from '../benchmark.ts'
import { startDatabaseServer } from '../harness/database-server.ts'
import { OWNER } from '../harness/sample-faces.ts'
import { hasSwift, KEYS, type Swift, startSwift } from '../harness/swift.ts'
import { enrolOne, openServices } from '../lib/enrolling.ts'
import { callers } from '../load.ts'
import { type Rig, withRig } from '../rig.ts'
import { fixed, timed } from '../statistics.ts'

const CALLERS = 4
const POSTS_PER_SECOND = 60

/** A post with a key. `id` is the face and `at` the time of the answer in milliseconds, if it was acknowledged. */
interface Post {
  key: string
  id: number | undefined
  at: number
}

export default benchmark({
  description: 'faces that are lost with the disk of a libSQL server that copies to a bucket',
  options: {
    /** Seconds of enrolments before the loss, at least. */
    seconds: 20,
    /** Seconds between two copies to the bucket; 15 is the default of sqld. */
    intervals: '15,5,1',
    rounds: 3,
    /** Stops the server before the loss. */
    stop: false,
  },
  async run({ seconds, intervals, rounds, stop }, rig) {
    need(hasSwift, 'Swift of Debian')
    const swift = await startSwift()
    rig.defer(swift.stop)
    const losses = []
    for (const interval of numbers(intervals))
      for (let round = 0; round < rounds; round++) {
        progress(`copies every ${interval} s, round ${round + 1}`)
        // Each round loses the disk at another moment of an interval.
        const ms = (seconds + (round * interval) / rounds) * 1000
        losses.push({ interval, ...(await withRig(own => loseOnce(own, swift, interval, ms, stop))) })
      }
    return { losses }
  },
})

/** Enrols for `ms`, loses the server with its disk, and restores it. `isStopped`: the server is stopped before. */
async function loseOnce(rig: Rig, swift: Swift, interval: number, ms: number, isStopped: boolean) {
  const server = await startDatabaseServer({
    args: ['--enable-bottomless-replication'],
    env: copiedTo(swift.origin, await swift.makeBucket(), interval),
  })
  rig.defer(server.remove)
  const services = await openServices(rig, { url: server.url })
  const posts: Post[] = []
  let isOver = false
  const load = callers(
    CALLERS,
    () => isOver,
    async (caller, turn) => {
      const key = `${caller}-${turn}`
      const id = await enrolOne(services, key).catch(() => undefined)
      posts.push({ key, id, at: performance.now() })
    },
    POSTS_PER_SECOND,
  )
  await sleep(ms)
  if (isStopped) await server.stop()
  const lostAt = performance.now()
  await server.lose()
  isOver = true
  await load
  const restoreMs = await timed(() => server.start())
  const loss = await lossOf(services, posts, lostAt)
  return { ...loss, restoreSeconds: fixed(restoreMs / 1000), ...(await repeatAll(services, posts)) }
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

/** Lost faces; seconds from the answer for the first one to the loss; vectors of them that the shards still have. */
async function lossOf({ database, vectors }: Services, posts: readonly Post[], lostAt: number) {
  const acknowledged = posts.flatMap(({ id, at }) => (id === undefined ? [] : [{ id, at }]))
  const rows = await faceKeysOf(
    database,
    acknowledged.map(({ id }) => id),
  )
  const kept = new Set(rows.map(({ id }) => id))
  const lost = acknowledged.filter(({ id }) => !kept.has(id))
  const gallery = storeGallery(OWNER, DEFAULT_GALLERY)
  const found = await Promise.all(lost.map(({ id }) => vectors.get({ gallery, id })))
  const first = Math.min(lostAt, ...lost.map(({ at }) => at))
  return {
    acknowledged: acknowledged.length,
    lost: lost.length,
    secondsLost: fixed((lostAt - first) / 1000),
    vectorsKept: found.filter(vector => vector !== undefined).length,
  }
}

/** The callers repeat all posts under their keys, as callers do that keep their posts until they are copied. */
async function repeatAll(services: Services, posts: readonly Post[]) {
  const ids = new Set<number>()
  for (const { key } of posts) ids.add(await enrolOne(services, key))
  const kept = await faceKeysOf(services.database, [...ids])
  const total = await faceCount(services.database, OWNER)
  return { lostAfterRepetition: posts.length - kept.length, doubled: total - kept.length }
}
