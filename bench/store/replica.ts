/** Measures a database with a replica: what its confirmations cost, and what is lost with the disk of the primary. */
import { setTimeout as sleep } from 'node:timers/promises'
import { benchmark, progress } from '../benchmark.ts'
import { form, type Send, sample } from '../harness/client.ts'
import { type ReplicatedDatabase, startReplicatedDatabase } from '../harness/database-server.ts'
import { listed } from '../lib/listed.ts'
import { callers } from '../load.ts'
import { type Rig, withRig } from '../rig.ts'
import { fixed, timed, timesOf } from '../statistics.ts'

const CALLERS = 4
/** Pause before a caller repeats a post. */
const REPEAT_MS = 200

type Photo = Uint8Array<ArrayBuffer>

export default benchmark({
  description: 'enrolments at a database with a replica: their times, and faces lost with the primary',
  options: {
    rounds: 10,
    /** Seconds of enrolments before the loss of the primary, at least. */
    seconds: 10,
    /** Posts with a replica, and without one. */
    posts: 100,
  },
  async run({ rounds, seconds, posts }) {
    const photo = await sample(1)
    const times = await withRig(rig => compareTimes(rig, photo, posts))
    const losses = []
    for (let round = 0; round < rounds; round++) {
      progress(`round ${round + 1}`)
      // Each round loses the primary at another moment.
      losses.push(await withRig(rig => loseOnce(rig, photo, (seconds + round / rounds) * 1000)))
    }
    return { times, losses }
  },
})

async function startDatabase(rig: Rig): Promise<ReplicatedDatabase> {
  const database = await startReplicatedDatabase()
  rig.defer(database.remove)
  return database
}

const serviceAt = ({ primary, replica }: ReplicatedDatabase, hasReplica: boolean, rig: Rig) =>
  rig.service({
    env: { MIEN_DATABASE_URL: primary.url, MIEN_DATABASE_REPLICAS: hasReplica ? replica.url : '' },
  })

/** Enrols the photo at a service that waits for a replica, and at one that does not, in turn. */
async function compareTimes(rig: Rig, photo: Photo, posts: number) {
  const services = {
    'with a replica': await serviceAt(await startDatabase(rig), true, rig),
    'without one': await serviceAt(await startDatabase(rig), false, rig),
  }
  const times = Object.entries(services).map(([name, { send }]) => ({ name, send, ms: [] as number[] }))
  for (let i = 0; i < posts; i++)
    for (const { send, ms } of times) ms.push(await timed(() => post(send, photo, `post-${i}`)))
  return times.map(({ name, ms }) => ({ name, ...timesOf(ms) }))
}

/** Ids of the faces; undefined when the post has to be repeated. Throws for other answers. */
async function post(send: Send, photo: Photo, key: string): Promise<number[] | undefined> {
  const { status, body } = await send('POST', '/v1/face', form({ photo }), { 'idempotency-key': key })
  if (status === 503) return undefined
  if (status !== 200) throw new Error(`A post is answered with ${status}.`)
  return body.results.map(({ id }: { id: number }) => id)
}

/** Callers enrol until the primary is lost and its replica has taken its place. They repeat each post until it is acknowledged. */
async function loseOnce(rig: Rig, photo: Photo, ms: number) {
  const database = await startDatabase(rig)
  const { send } = await serviceAt(database, true, rig)
  const acknowledged: { ids: readonly number[]; at: number }[] = []
  let [refused, isLost] = [0, false]
  const load = callers(
    CALLERS,
    () => isLost,
    async (caller, turn) => {
      for (;;) {
        const ids = await post(send, photo, `${caller}-${turn}`)
        if (ids) return acknowledged.push({ ids, at: performance.now() })
        refused++
        await sleep(REPEAT_MS)
      }
    },
  )
  await sleep(ms)
  const lostAt = performance.now()
  await database.promote()
  await database.addReplica()
  isLost = true
  await load
  const kept = new Set((await listed(send)).map(({ id }) => id))
  const ids = acknowledged.flatMap(({ ids }) => ids)
  const firstAfter = Math.min(...acknowledged.map(({ at }) => at).filter(at => at > lostAt))
  return {
    acknowledged: acknowledged.length,
    lost: ids.filter(id => !kept.has(id)).length,
    doubled: kept.size - new Set(ids).size,
    refused,
    recoverySeconds: fixed((firstAfter - lostAt) / 1000),
  }
}
