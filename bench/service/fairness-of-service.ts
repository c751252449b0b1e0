/** Measures how much one token can slow down another: latencies of a polite token during expensive hostile requests. */
import { createSocket } from 'node:dgram'
import { setTimeout as sleep } from 'node:timers/promises'
import { benchmark, progress } from '../benchmark.ts'
import { startChild } from '../child.ts'
import { descendantsOf, memoryOf } from '../harness/processes.ts'
import { newToken } from '../harness/tokens.ts'
import type { HostileTask } from '../lib/fairness/hostile.child.ts'
import { HOSTILE } from '../lib/fairness/hostile.ts'
import { type Ask, after, callers, cheapClient, posting, type Request, type Response } from '../load.ts'
import { portraitFile } from '../photos.ts'
import { type Rig, withRig } from '../rig.ts'
import { fixed, quantile, sum } from '../statistics.ts'

/** Requests per second of a polite caller at most, and measurements of memory per second. */
const POLITE_PER_SECOND = 20
const MEMORY_PER_SECOND = 5

const TARGETS = { getP99Ms: 250, detectP99TimesIdle: 4, memoryMb: 700, refused: 0 }

/** Command lines of the edge's processes: workers and their proxy. */
const EDGE_PROCESSES = ['workerd serve', 'serve-edge']

export default benchmark({
  description:
    'latencies of one token while another sends 32 concurrent hostile requests; memory of the edge',
  options: { seconds: 15, 'at-once': 32, only: '' },
  async run({ seconds, 'at-once': atOnce, only }, rig) {
    const names = await silentNameServer(rig)
    const photo = await portraitFile()
    const kinds = []
    for (const kind of Object.keys(HOSTILE).filter(name => only === '' || name === only)) {
      progress(kind)
      kinds.push({ kind, ...(await withRig(own => measured(own, { kind, seconds, atOnce, names, photo }))) })
    }
    return { kinds, atOnce, targets: TARGETS }
  },
})

interface Settings {
  kind: string
  seconds: number
  atOnce: number
  /** Address of the name server. */
  names: string
  photo: Uint8Array
}

/** Starts a service per kind: memory used by one kind does not count for the next. */
async function measured(rig: Rig, { kind, seconds, atOnce, names, photo }: Settings) {
  const preload = new URL('../lib/fairness/silent-names.ts', import.meta.url)
  const env = { NODE_OPTIONS: `--import=${preload}`, MIEN_BENCH_NAME_SERVER: names }
  const { edge, token, data, pid, stop } = await rig.service({ env })
  rig.defer(() => stop('SIGKILL'))
  const ask = cheapClient(edge, token, AbortSignal.timeout(10 * 60_000))
  const detect = posting('/v0/detect', photo)
  // The first request loads the networks.
  for (let i = 0; i < 5; i++) await ask(detect)
  const idle = await polite(ask, detect, seconds / 3)
  let [isOver, memoryMb] = [false, 0]
  const watching = callers(
    1,
    () => isOver,
    async () => {
      memoryMb = Math.max(memoryMb, await memoryOfEdge(pid))
    },
    MEMORY_PER_SECOND,
  )
  const task: HostileTask = { kind, origin: edge, token: newToken(data, 'hostile'), atOnce }
  const hostile = startChild<object>(new URL('../lib/fairness/hostile.child.ts', import.meta.url), task)
  await hostile.next()
  await sleep(Math.min(1_000, seconds * 100))
  const loaded = await polite(ask, detect, seconds)
  const answers = hostile.next()
  hostile.stop()
  isOver = true
  await watching
  const times = fixed(loaded.detect.p99Ms / idle.detect.p99Ms)
  const met =
    loaded.get.p99Ms <= TARGETS.getP99Ms &&
    times <= TARGETS.detectP99TimesIdle &&
    memoryMb <= TARGETS.memoryMb &&
    loaded.get.refused + loaded.detect.refused === TARGETS.refused
  return {
    ...loaded,
    idle: { getP99Ms: idle.get.p99Ms, detectP99Ms: idle.detect.p99Ms },
    ...{ detectP99TimesIdle: times, memoryMb: Math.round(memoryMb), met, answers: await answers },
  }
}

/** Runs one caller that lists galleries and one that detects the face on a portrait. */
async function polite(ask: Ask, detect: Request, seconds: number) {
  const isOver = after(1000 * seconds)
  const summaryOf = async (request: Request) => {
    const answers: Response[] = []
    await callers(1, isOver, async () => answers.push(await ask(request)), POLITE_PER_SECOND)
    const ms = answers.map(answer => answer.ms)
    return {
      p50Ms: fixed(quantile(ms, 0.5)),
      p99Ms: fixed(quantile(ms, 0.99)),
      asked: answers.length,
      refused: answers.filter(({ status }) => status !== 200).length,
    }
  }
  const [get, found] = await Promise.all([
    summaryOf({ method: 'GET', path: '/v0/galleries' }),
    summaryOf(detect),
  ])
  return { get, detect: found }
}

/** Memory of the edge's processes together, in megabytes. */
async function memoryOfEdge(launcher: number): Promise<number> {
  const found = await Promise.all(EDGE_PROCESSES.map(command => descendantsOf(launcher, command)))
  return sum(await Promise.all(found.flat().map(pid => memoryOf(pid, 'VmRSS').catch(() => 0))))
}

/** A name server on loopback that receives every query and responds to none. Returns its address. */
async function silentNameServer(rig: Rig): Promise<string> {
  const socket = createSocket('udp4')
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  rig.defer(() => socket.close())
  return `127.0.0.1:${socket.address().port}`
}
