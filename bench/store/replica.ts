/** Measures a database with a replica: what its confirmations cost, and what is lost with the disk of the primary. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fixed, median, minimum, type Outcome, progress, table } from '../benchmark.ts'
import { type Answered, clientOf, form, type Send, sample } from '../harness/client.ts'
import { type ReplicatedDatabase, startReplicatedDatabase } from '../harness/replicated-database.ts'
import { type Service, startService } from '../harness/service.ts'

export const description =
  'enrolments at a database with a replica: their times, and faces lost with the primary'

export const options = {
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  posts: { type: 'string' },
} as const

const ROUNDS = 10
/** Seconds of enrolments before the loss of the primary, at least. */
const SECONDS = 10
/** Posts with a replica, and without one. */
const POSTS = 100
const CALLERS = 4
/** Pause before a caller repeats a post. */
const REPEAT_MS = 200

interface Loss {
  acknowledged: number
  lost: number
  doubled: number
  refused: number
  /** Seconds from the loss of the primary to the first acknowledged post. */
  recoverySeconds: number
}

export async function run(values: Record<string, string | boolean | undefined>): Promise<Outcome> {
  const [rounds, seconds] = [Number(values.rounds ?? ROUNDS), Number(values.seconds ?? SECONDS)]
  const photo = await sample(1)
  const times = Object.entries(await compareTimes(photo, Number(values.posts ?? POSTS))).map(
    ([name, ms]) => ({
      name,
      minimumMs: fixed(minimum(ms)),
      medianMs: fixed(median(ms)),
    }),
  )
  const losses: Loss[] = []
  for (let round = 0; round < rounds; round++) {
    progress(`  round ${round + 1}`)
    // Each round loses the primary at another moment.
    losses.push(await atDatabase(database => loseOnce(database, photo, (seconds + round / rounds) * 1000)))
  }
  const costs = [
    ['a post of a photo, ms', 'minimum', 'median'],
    ...times.map(({ name, minimumMs, medianMs }) => [name, minimumMs, medianMs]),
  ]
  const head = ['round', 'acknowledged', 'lost', 'twice', 'refused meanwhile', 'well after, s']
  const rows = losses.map((loss, i) => [
    i + 1,
    loss.acknowledged,
    loss.lost,
    loss.doubled,
    loss.refused,
    fixed(loss.recoverySeconds),
  ])
  return { table: `${table(costs)}\n\n${table([head, ...rows])}`, result: { times, losses } }
}

async function atDatabase<Result>(use: (database: ReplicatedDatabase) => Promise<Result>): Promise<Result> {
  const database = await startReplicatedDatabase()
  try {
    return await use(database)
  } finally {
    await database.remove()
  }
}

/** Runs the service at the database. `replicas`: their addresses. */
async function atService<Result>(
  { primary }: ReplicatedDatabase,
  replicas: readonly string[],
  use: (service: Service, send: Send) => Promise<Result>,
): Promise<Result> {
  const env = { MIEN_DATABASE_URL: primary.url, MIEN_DATABASE_REPLICAS: replicas.join(',') }
  const service = await startService({ env })
  try {
    return await use(service, clientOf(service.edge, service.token))
  } finally {
    await service.stop()
    await service.remove()
  }
}

/** Enrols the photo at a service that waits for a replica, and at one that does not, in turn. */
const compareTimes = (photo: Uint8Array<ArrayBuffer>, posts: number) =>
  atDatabase(one =>
    atDatabase(other =>
      atService(one, [one.replica.url], (_, withReplica) =>
        atService(other, [], async (_, without) => {
          const times = { 'with a replica': [] as number[], 'without one': [] as number[] }
          for (let i = 0; i < posts; i++)
            for (const [name, send] of [
              ['with a replica', withReplica],
              ['without one', without],
            ] as const) {
              const began = performance.now()
              await post(send, photo, `post-${i}`)
              times[name].push(performance.now() - began)
            }
          return times
        }),
      ),
    ),
  )

/** Ids of the faces; undefined when the post has to be repeated. Throws for other answers. */
async function post(send: Send, photo: Uint8Array<ArrayBuffer>, key: string): Promise<number[] | undefined> {
  const { status, body } = await send('POST', '/v1/face', form({ photo }), { 'idempotency-key': key })
  if (status === 503) return undefined
  if (status !== 200) throw new Error(`A post is answered with ${status}.`)
  return body.results.map(({ id }: { id: number }) => id)
}

/** Callers enrol until the primary is lost and its replica has taken its place. They repeat each post until it is acknowledged. */
const loseOnce = (database: ReplicatedDatabase, photo: Uint8Array<ArrayBuffer>, ms: number): Promise<Loss> =>
  atService(database, [database.replica.url], async (_, send) => {
    const acknowledged: { ids: readonly number[]; at: number }[] = []
    let [refused, isLost] = [0, false]
    const caller = async (_: unknown, number: number) => {
      for (let i = 0; !isLost; i++)
        for (;;) {
          const ids = await post(send, photo, `${number}-${i}`)
          if (ids) {
            acknowledged.push({ ids, at: performance.now() })
            break
          }
          refused++
          await sleep(REPEAT_MS)
        }
    }
    let lostAt = 0
    const loss = async () => {
      await sleep(ms)
      lostAt = performance.now()
      await database.promote()
      await database.addReplica()
      isLost = true
    }
    await Promise.all([loss(), ...Array.from({ length: CALLERS }, caller)])
    const kept = await facesOf(send)
    const ids = acknowledged.flatMap(({ ids }) => ids)
    const firstAfter = Math.min(...acknowledged.map(({ at }) => at).filter(at => at > lostAt))
    return {
      acknowledged: acknowledged.length,
      lost: ids.filter(id => !kept.has(id)).length,
      doubled: kept.size - new Set(ids).size,
      refused,
      recoverySeconds: (firstAfter - lostAt) / 1000,
    }
  })

async function facesOf(send: Send): Promise<Set<number>> {
  const ids = new Set<number>()
  for (let path: string | null = '/v1/faces'; path !== null; ) {
    const { body }: Answered = await send('GET', path)
    for (const { id } of body.results) ids.add(id)
    path = body.next_page ?? null
  }
  return ids
}
