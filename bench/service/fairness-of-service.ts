/** Measures how much one token can slow down another: latencies of a polite token during expensive hostile requests. */
import { fork } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { fixed, type Outcome, progress, quantile, table } from '../benchmark.ts'
import { sample } from '../harness/client.ts'
import { descendantsOf, memoryOf } from '../harness/processes.ts'
import { type Service, startService } from '../harness/service.ts'
import { newToken } from '../harness/tokens.ts'
import { HOSTILE } from '../lib/fairness/hostile.ts'
import { type Answer, type Ask, asking, detecting } from '../lib/fairness/http.ts'
import { repeated } from '../lib/fairness/repeated.ts'

export const description =
  'latencies of one token while another sends 32 concurrent hostile requests; memory of the edge'

export const options = {
  seconds: { type: 'string' },
  'at-once': { type: 'string' },
  only: { type: 'string' },
} as const

const SECONDS = 15
const AT_ONCE = 32

/** Milliseconds between two requests of the polite token. */
const REST_MS = 50
const MEMORY_EVERY_MS = 200

const TARGETS = { getMs: 250, detectTimes: 4, memoryMb: 700 }

interface Times {
  get: Answer[]
  detect: Answer[]
}

export async function run(values: Record<string, string | boolean | undefined>): Promise<Outcome> {
  const ms = 1000 * Number(values.seconds ?? SECONDS)
  const atOnce = Number(values['at-once'] ?? AT_ONCE)
  const kinds = Object.keys(HOSTILE).filter(name => !values.only || name === values.only)
  if (kinds.length === 0) throw new Error(`There is no "${values.only}". There are: ${Object.keys(HOSTILE)}`)
  const photo = await portrait()
  const names = await silentNameServer()
  const rows = []
  try {
    for (const name of kinds) {
      progress(`  ${name}`)
      rows.push({ name, ...(await measured(name, photo, { ms, atOnce, nameServer: names.address })) })
    }
  } finally {
    names.close()
  }
  return outcome(rows, atOnce)
}

interface Settings {
  ms: number
  atOnce: number
  nameServer: string
}

/** Starts a service per kind: memory used by one kind does not count for the next. */
async function measured(kind: string, photo: Buffer, { ms, atOnce, nameServer }: Settings) {
  const preload = `--import=${join(import.meta.dirname, '..', 'lib', 'fairness', 'silent-names.ts')}`
  const service = await startService({ env: { NODE_OPTIONS: preload, MIEN_BENCH_NAME_SERVER: nameServer } })
  const ended = new AbortController()
  try {
    const ask = asking(service.edge, service.token, AbortSignal.timeout(10 * 60_000))
    // The first request loads the networks.
    for (let i = 0; i < 5; i++) await ask(detecting(photo))
    const idle = await polite(ask, photo, AbortSignal.timeout(Math.round(ms / 3)))
    const memory = memoryOfEdge(service.pid, ended.signal)
    const hostile = await startHostile(kind, service, atOnce)
    hostile.begin()
    await sleep(Math.min(1_000, ms / 10))
    const loaded = await polite(ask, photo, AbortSignal.timeout(ms))
    const sent = await hostile.end()
    ended.abort()
    return { idle, loaded, sent, memoryMb: await memory }
  } finally {
    ended.abort()
    await service.stop('SIGKILL')
    await service.remove()
  }
}

/** Starts a process that sends requests of this kind with its own token. */
async function startHostile(kind: string, { data, edge }: Service, atOnce: number) {
  const script = join(import.meta.dirname, '..', 'lib', 'fairness', 'hostile.child.ts')
  const child = fork(script, [kind, edge, newToken(data, 'hostile'), String(atOnce)])
  const exited = once(child, 'exit').then(() => {
    throw new Error('The process of the hostile caller ended.')
  })
  const message = () => Promise.race([once(child, 'message'), exited])
  await message()
  return {
    begin: () => child.send('begin'),
    async end(): Promise<Answer[]> {
      child.send('end')
      const [answers] = await message()
      return answers
    },
  }
}

/** Runs one caller that lists galleries and one that detects the face on a portrait. */
async function polite(ask: Ask, photo: Buffer, end: AbortSignal): Promise<Times> {
  const rested = async (asked: Promise<Answer>) => {
    const answer = await asked
    await sleep(REST_MS)
    return answer
  }
  const [get, detect] = await Promise.all([
    repeated(() => rested(ask({ method: 'GET', path: '/v0/galleries' })), end),
    repeated(() => rested(ask(detecting(photo))), end),
  ])
  return { get, detect }
}

/** Command lines of the edge's processes: workers and their proxy. */
const EDGE_PROCESSES = ['workerd serve', 'serve-edge']

/** Peak memory of the edge's processes together until the end, in megabytes. */
async function memoryOfEdge(launcher: number, end: AbortSignal): Promise<number> {
  let most = 0
  while (!end.aborted) {
    const found = await Promise.all(EDGE_PROCESSES.map(command => descendantsOf(launcher, command)))
    const processes = found.flat()
    const each = await Promise.all(processes.map(pid => memoryOf(pid, 'VmRSS').catch(() => 0)))
    most = Math.max(
      most,
      each.reduce((sum, mb) => sum + mb, 0),
    )
    await sleep(MEMORY_EVERY_MS)
  }
  return most
}

/** A name server on loopback that receives every query and responds to none. */
async function silentNameServer() {
  const socket = createSocket('udp4')
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() }
}

/** A portrait of one person with head and shoulders, 1 Mpx. */
async function portrait(): Promise<Buffer> {
  const face = sharp(await sample(1)).extract({ left: 1266, top: 43, width: 600, height: 600 })
  return face.resize(1000, 1000).jpeg({ quality: 90 }).toBuffer()
}

const summary = (answers: readonly Answer[]) => {
  const times = answers.map(({ ms }) => ms)
  return {
    p50Ms: fixed(quantile(times, 0.5)),
    p99Ms: fixed(quantile(times, 0.99)),
    asked: answers.length,
    refused: answers.filter(({ status }) => status !== 200).length,
  }
}

interface Row {
  name: string
  idle: Times
  loaded: Times
  sent: Answer[]
  memoryMb: number
}

function outcome(rows: readonly Row[], atOnce: number): Outcome {
  const kinds = rows.map(({ name, idle, loaded, sent, memoryMb }) => {
    const [get, detect] = [summary(loaded.get), summary(loaded.detect)]
    const idleDetect = summary(idle.detect)
    const times = fixed(detect.p99Ms / idleDetect.p99Ms)
    const met =
      get.p99Ms <= TARGETS.getMs &&
      times <= TARGETS.detectTimes &&
      memoryMb <= TARGETS.memoryMb &&
      get.refused + detect.refused === 0
    const statuses = Object.entries(Object.groupBy(sent, ({ status }) => status))
    return {
      name,
      hostile: Object.fromEntries(statuses.map(([status, answers]) => [status, answers?.length ?? 0])),
      idle: { get: summary(idle.get), detect: idleDetect },
      get,
      detect,
      detectP99TimesIdle: times,
      memoryMb: Math.round(memoryMb),
      met,
    }
  })
  const head = [
    'hostile kind',
    'answers',
    'GET p50',
    'p99',
    'detect p50',
    'p99',
    'idle p99',
    'times',
    'refused',
  ]
  const cells = kinds.map(({ name, hostile, idle, get, detect, detectP99TimesIdle, memoryMb, met }) => [
    name,
    Object.entries(hostile)
      .map(([status, count]) => `${count} x ${status}`)
      .join(', '),
    get.p50Ms,
    get.p99Ms,
    detect.p50Ms,
    detect.p99Ms,
    idle.detect.p99Ms,
    detectP99TimesIdle,
    `${get.refused + detect.refused} of ${get.asked + detect.asked}`,
    memoryMb,
    met ? 'yes' : 'no',
  ])
  const targets = `${atOnce} hostile requests at once. Targets: GET p99 <= ${TARGETS.getMs} ms, detect p99 <= ${TARGETS.detectTimes} times that of the idle service, edge <= ${TARGETS.memoryMb} MB.`
  return {
    table: `${table([[...head, 'edge MB', 'met'], ...cells])}\n\n${targets} Status 0: no answer.`,
    result: { atOnce, targets: TARGETS, kinds },
  }
}
