/** Runs the service at half load for hours: memory and open files of each process, and latency at the start and the end. */
import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { fixed, type Outcome, progress, quantile, table } from '../benchmark.ts'
import { clientOf, form, type Send, sample } from '../harness/client.ts'
import { descendantsOf, memoryOf } from '../harness/processes.ts'
import { startService } from '../harness/service.ts'

export const description = 'enrol, identify and delete at half load for hours: memory, open files, p99'

export const options = { hours: { type: 'string' } } as const

const HOURS = 2

/** Callers and seconds that find the full rate. */
const CALLERS = 4
const FULL_RATE_MS = 30_000

/** Share of the full rate. */
const LOAD = 0.5

/** Faces that stay enrolled. Each further enrolment deletes the oldest face. */
const KEPT_FACES = 500

const SAMPLE_MS = 10_000

/** Longer side of the photos in pixels. */
const PHOTO_SIDE = 1_200

/** Processes by the words of their commands. */
const PROCESSES = { core: 'core/server.ts', proxy: 'serve-edge', edge: 'workerd' } as const

interface Sample {
  /** Milliseconds since the start. */
  at: number
  megabytes: number
  files: number
}

interface Timed {
  at: number
  ms: number
}

export async function run(values: { hours?: string }): Promise<Outcome> {
  const durationMs = Number(values.hours ?? HOURS) * 3_600_000
  const service = await startService()
  try {
    const work = mixedWork(clientOf(service.edge, service.token), await photos())
    const perSecond = LOAD * (await fullRate(work.step))
    progress(`half load: ${fixed(perSecond)} requests a second`)
    const pids = await Promise.all(
      Object.entries(PROCESSES).map(async ([name, words]) => ({
        name,
        pids: await descendantsOf(service.pid, words),
      })),
    )
    const samples = new Map(pids.map(({ name }) => [name, [] as Sample[]]))
    const started = performance.now()
    const elapsed = () => performance.now() - started
    const timed: Timed[] = []
    let isOver = false
    const watch = async () => {
      while (!isOver) {
        for (const { name, pids: these } of pids) samples.get(name)!.push(await sampleOf(these, elapsed()))
        await sleep(SAMPLE_MS)
      }
    }
    const watching = watch()
    await paced(work.step, perSecond, durationMs, timed)
    isOver = true
    await watching
    return outcome({ durationMs, perSecond, refused: work.refused() }, samples, timed)
  } finally {
    await service.stop()
    await service.remove()
  }
}

/** Photos of about 1 Mpx. */
const photos = () =>
  Promise.all(
    ([1, 3, 5, 6] as const).map(async number => {
      const small = sharp(await sample(number)).resize(PHOTO_SIDE, PHOTO_SIDE, { fit: 'inside' })
      return new Uint8Array(await small.jpeg({ quality: 90 }).toBuffer())
    }),
  )

interface Work {
  /** One step of the mix: enrol, identify, or both with a deletion. Rejects for a status other than 2xx and 503. */
  step(): Promise<void>
  /** Number of requests that were refused with 503 so far. */
  refused(): number
}

function mixedWork(api: Send, pictures: readonly Uint8Array<ArrayBuffer>[]): Work {
  const enrolled: number[] = []
  let steps = 0
  let refused = 0
  /** The body of a success; undefined for a refusal. */
  const bodyOf = ({ status, body }: Awaited<ReturnType<Send>>) => {
    if (status === 503) return void refused++
    if (status >= 300) throw new Error(`The service answers ${status}: ${JSON.stringify(body)}`)
    return body
  }
  const step = async (): Promise<void> => {
    const photo = pictures[steps % pictures.length]!
    if (steps++ % 2 === 0) {
      const body = bodyOf(await api('POST', '/v1/face', form({ photo, meta: `person ${steps % 97}` })))
      enrolled.push(...(body?.results ?? []).map(({ id }: { id: number }) => id))
    } else bodyOf(await api('POST', '/v1/identify', form({ photo, mf_selector: 'all' })))
    const oldest = enrolled.length > KEPT_FACES ? enrolled.shift() : undefined
    if (oldest !== undefined) bodyOf(await api('DELETE', `/v1/face/id/${oldest}`))
  }
  return { step, refused: () => refused }
}

/** Steps per second of CALLERS callers. */
async function fullRate(work: () => Promise<void>): Promise<number> {
  const end = performance.now() + FULL_RATE_MS
  let steps = 0
  const caller = async () => {
    for (; performance.now() < end; steps++) await work()
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  return (1000 * steps) / FULL_RATE_MS
}

/** Starts a step at even intervals, whether or not earlier ones have ended. */
async function paced(
  work: () => Promise<void>,
  perSecond: number,
  durationMs: number,
  timed: Timed[],
): Promise<void> {
  const started = performance.now()
  const running = new Set<Promise<void>>()
  for (let step = 0; (1000 * step) / perSecond < durationMs; step++) {
    await sleep(Math.max(0, started + (1000 * step) / perSecond - performance.now()))
    const at = performance.now()
    const task = work()
      .then(() => void timed.push({ at: at - started, ms: performance.now() - at }))
      .finally(() => running.delete(task))
    running.add(task)
  }
  await Promise.all(running)
}

/** Memory and open files of the processes together. */
async function sampleOf(pids: readonly number[], at: number): Promise<Sample> {
  const memory = await Promise.all(pids.map(pid => memoryOf(pid, 'VmRSS')))
  const files = await Promise.all(pids.map(async pid => (await readdir(`/proc/${pid}/fd`)).length))
  const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0)
  return { at, megabytes: sum(memory), files: sum(files) }
}

interface Run {
  durationMs: number
  perSecond: number
  refused: number
}

function outcome(
  { durationMs, perSecond, refused }: Run,
  samples: ReadonlyMap<string, readonly Sample[]>,
  timed: readonly Timed[],
): Outcome {
  const p99 = (from: number, to: number) =>
    fixed(
      quantile(
        timed.filter(({ at }) => at >= from * durationMs && at < to * durationMs).map(({ ms }) => ms),
        0.99,
      ),
    )
  const processes = [...samples].map(([name, all]) => {
    // The first half includes warm-up: caches fill and the heap settles.
    const settled = all.filter(({ at }) => at >= durationMs / 2)
    return {
      name,
      megabytes: fixed(settled.at(-1)?.megabytes ?? 0),
      perHour: fixed(slope(settled) * 3_600_000),
      filesFirst: all[0]?.files ?? 0,
      filesLast: all.at(-1)?.files ?? 0,
    }
  })
  const latency = { firstQuarter: p99(0, 0.25), lastQuarter: p99(0.75, 1) }
  const rows = processes.map(row => [row.name, row.megabytes, row.perHour, row.filesFirst, row.filesLast])
  return {
    table:
      `${table([['process', 'MB', 'MB per hour', 'files at first', 'files at last'], ...rows])}\n\n` +
      `${timed.length} steps at ${fixed(perSecond)} a second, ${refused} refused; p99 ${latency.firstQuarter} ms in the first quarter, ` +
      `${latency.lastQuarter} ms in the last`,
    result: {
      hours: fixed(durationMs / 3_600_000, 2),
      perSecond: fixed(perSecond),
      steps: timed.length,
      refused,
      latency,
      processes,
    },
  }
}

/** Slope of the regression line of memory over time, in megabytes per millisecond. */
function slope(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [at, megabytes] = [mean(samples.map(one => one.at)), mean(samples.map(one => one.megabytes))]
  const covariance = mean(samples.map(one => (one.at - at) * (one.megabytes - megabytes)))
  return covariance / mean(samples.map(one => (one.at - at) ** 2))
}
