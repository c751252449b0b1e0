/** Runs the service at half load for hours: memory and open files of each process, and latency at the start and the end. */
import { readdir } from 'node:fs/promises'
import sharp from 'sharp'
import { benchmark, progress } from '../benchmark.ts'
import { form, type Send, sample } from '../harness/client.ts'
import { descendantsOf, memoryOf } from '../harness/processes.ts'
import { after, callers, openLoop } from '../load.ts'
import { fixed, mean, quantile, sum } from '../statistics.ts'

/** Callers that find the full rate. */
const CALLERS = 4

/** Share of the full rate. */
const LOAD = 0.5

/** Faces that stay enrolled. Each further enrolment deletes the oldest face. */
const KEPT_FACES = 500

/** Samples per second of memory and open files. */
const SAMPLES_PER_SECOND = 0.1

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

export default benchmark({
  description: 'enrol, identify and delete at half load for hours: memory, open files, p99',
  options: {
    hours: 2,
    /** Seconds in which the full rate is found. */
    seconds: 30,
  },
  async run({ hours, seconds }, rig) {
    const durationMs = hours * 3_600_000
    const { pid, send } = await rig.service()
    const work = await mixedWork(send)
    let full = 0
    await callers(CALLERS, after(1000 * seconds), async () => {
      await work.step()
      full++
    })
    const perSecond = (LOAD * full) / seconds
    progress(`half load: ${fixed(perSecond)} requests a second`)
    const processes = await Promise.all(
      Object.entries(PROCESSES).map(async ([name, words]) => ({
        ...{ name, pids: await descendantsOf(pid, words), samples: [] as Sample[] },
      })),
    )
    const started = performance.now()
    const elapsed = () => performance.now() - started
    const steps: { at: number; ms: number }[] = []
    let isOver = false
    const watching = callers(
      1,
      () => isOver,
      async () => {
        for (const { pids, samples } of processes) samples.push(await sampleOf(pids, elapsed()))
      },
      SAMPLES_PER_SECOND,
    )
    await openLoop(perSecond, durationMs, async () => {
      const at = elapsed()
      await work.step()
      steps.push({ at, ms: elapsed() - at })
    })
    isOver = true
    await watching
    const p99 = (from: number, to: number) => {
      const within = steps.filter(({ at }) => at >= from * durationMs && at < to * durationMs)
      return fixed(
        quantile(
          within.map(({ ms }) => ms),
          0.99,
        ),
      )
    }
    return {
      ...{ hours, perSecond: fixed(perSecond), steps: steps.length, refused: work.refused() },
      ...{ p99MsOfFirstQuarter: p99(0, 0.25), p99MsOfLastQuarter: p99(0.75, 1) },
      processes: processes.map(({ name, samples }) => {
        // The first half includes warm-up: caches fill and the heap settles.
        const settled = samples.filter(({ at }) => at >= durationMs / 2)
        return {
          name,
          megabytes: fixed(settled.at(-1)?.megabytes ?? 0),
          perHour: fixed(slope(settled) * 3_600_000),
          filesFirst: samples[0]?.files ?? 0,
          filesLast: samples.at(-1)?.files ?? 0,
        }
      }),
    }
  },
})

/** A mix of requests with photos of about 1 Mpx: enrol, identify, or both with a deletion. */
async function mixedWork(send: Send) {
  const photos = await Promise.all(
    ([1, 3, 5, 6] as const).map(async number => {
      const small = sharp(await sample(number)).resize(PHOTO_SIDE, PHOTO_SIDE, { fit: 'inside' })
      return new Uint8Array(await small.jpeg({ quality: 90 }).toBuffer())
    }),
  )
  const enrolled: number[] = []
  let [steps, refused] = [0, 0]
  /** The body of a success; undefined for a refusal. Throws for other statuses. */
  const bodyOf = ({ status, body }: Awaited<ReturnType<Send>>) => {
    if (status === 503) return void refused++
    if (status >= 300) throw new Error(`The service answers ${status}: ${JSON.stringify(body)}`)
    return body
  }
  return {
    async step(): Promise<void> {
      const photo = photos[steps % photos.length]!
      if (steps++ % 2 === 0) {
        const body = bodyOf(await send('POST', '/v1/face', form({ photo, meta: `person ${steps % 97}` })))
        enrolled.push(...(body?.results ?? []).map(({ id }: { id: number }) => id))
      } else bodyOf(await send('POST', '/v1/identify', form({ photo, mf_selector: 'all' })))
      const oldest = enrolled.length > KEPT_FACES ? enrolled.shift() : undefined
      if (oldest !== undefined) bodyOf(await send('DELETE', `/v1/face/id/${oldest}`))
    },
    /** Number of requests that were refused with 503 so far. */
    refused: () => refused,
  }
}

/** Memory and open files of the processes together. */
async function sampleOf(pids: readonly number[], at: number): Promise<Sample> {
  const memory = await Promise.all(pids.map(pid => memoryOf(pid, 'VmRSS')))
  const files = await Promise.all(pids.map(async pid => (await readdir(`/proc/${pid}/fd`)).length))
  return { at, megabytes: sum(memory), files: sum(files) }
}

/** Slope of the regression line of memory over time, in megabytes per millisecond. */
function slope(samples: readonly Sample[]): number {
  const [at, megabytes] = [mean(samples.map(one => one.at)), mean(samples.map(one => one.megabytes))]
  const covariance = mean(samples.map(one => (one.at - at) * (one.megabytes - megabytes)))
  return covariance / mean(samples.map(one => (one.at - at) ** 2))
}
