/** Measures behaviour above the capacity: goodput, time to refusal, and the latency of a second token. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { fixed, type Outcome, progress, quantile, table } from '../benchmark.ts'
import { sample } from '../harness/client.ts'
import { type Service, startService } from '../harness/service.ts'
import { newToken } from '../harness/tokens.ts'

export const description =
  'goodput and refusals at three times the capacity, with a second token that sends few requests'

export const options = { seconds: { type: 'string' }, path: { type: 'string' } } as const

/** Seconds of each measurement. */
const SECONDS = 20
const PATH = '/v0/identify'

/**
 * Numbers of callers that send the next request after each response. The capacity is the highest throughput among
 * them.
 */
const CALLERS = [1, 2, 4, 8, 16, 32]
const TIMES = 3

/** Targets: goodput as a fraction of the capacity, and milliseconds to a refusal. */
const TARGETS = { goodput: 0.9, shedMs: 50 }

interface Answered {
  status: number
  ms: number
  /** Time of the response. */
  at: number
}

type Ask = (token: string) => Promise<Answered>

export async function run(values: { seconds?: string; path?: string }): Promise<Outcome> {
  const ms = Number(values.seconds ?? SECONDS) * 1000
  const service = await startService()
  try {
    const ask = asking(service, values.path ?? PATH, await portrait())
    await closedLoop(ask, service.token, 4, ms / 2)
    const rates = []
    for (const callers of CALLERS) {
      progress(`  ${callers} callers`)
      rates.push({ callers, perSecond: (await closedLoop(ask, service.token, callers, ms)).goodput })
    }
    const peak = Math.max(...rates.map(({ perSecond }) => perSecond))
    progress(`  ${TIMES} times ${fixed(peak)} a second`)
    const second = newToken(service.data, 'second')
    const [flood, polite] = await Promise.all([
      openLoop(ask, service.token, TIMES * peak, ms),
      closedLoop(ask, second, 1, ms),
    ])
    return outcome(rates, peak, flood, polite, ms)
  } finally {
    await service.stop()
    await service.remove()
  }
}

/** A photo filled by one face, as cameras post it. */
async function portrait(): Promise<Buffer> {
  const face = sharp(await sample(1)).extract({ left: 1266, top: 43, width: 600, height: 600 })
  return face.jpeg({ quality: 85 }).toBuffer()
}

/** Sends the same bytes repeatedly with minimal cost, because the client shares the service's cores. */
function asking({ edge }: Service, path: string, photo: Buffer): Ask {
  const agent = new Agent({ keepAlive: true })
  const body = Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n'),
    photo,
    Buffer.from('\r\n--b--\r\n'),
  ])
  const { hostname, port } = new URL(edge)
  return token =>
    new Promise((resolve, reject) => {
      const began = performance.now()
      const headers = {
        authorization: `Token ${token}`,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': body.length,
      }
      const asked = request({ agent, hostname, port, path, method: 'POST', headers })
      let response: IncomingMessage | undefined
      asked.on('response', answer => {
        response = answer
        const ms = performance.now() - began
        answer.resume()
        answer.on('close', () => resolve({ status: answer.statusCode ?? 0, ms, at: performance.now() }))
      })
      // A refusal may arrive before the whole photo is sent. Writing the rest then fails.
      asked.on('error', error => response ?? reject(error))
      asked.end(body)
    })
}

/** All responses, and the number of timely successful ones per second. */
interface Load {
  answers: Answered[]
  goodput: number
}

async function closedLoop(ask: Ask, token: string, callers: number, ms: number): Promise<Load> {
  const end = performance.now() + ms
  const answers: Answered[] = []
  const caller = async () => {
    while (performance.now() < end) answers.push(await ask(token))
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return { answers, goodput: goodput(answers, end, ms) }
}

/** Sends requests at a fixed rate, independent of responses. Aborted requests count as status 0. */
async function openLoop(ask: Ask, token: string, perSecond: number, ms: number): Promise<Load> {
  const began = performance.now()
  const asked: Promise<Answered>[] = []
  while (performance.now() - began < ms) {
    const due = ((performance.now() - began) / 1000) * perSecond
    while (asked.length < due) asked.push(ask(token).catch(() => ({ status: 0, ms: 0, at: 0 })))
    await sleep(1000 / perSecond)
  }
  const answers = await Promise.all(asked)
  return { answers, goodput: goodput(answers, began + ms, ms) }
}

const goodput = (answers: readonly Answered[], end: number, ms: number): number =>
  answers.filter(answer => succeeded(answer) && answer.at <= end).length / (ms / 1000)

const succeeded = ({ status }: Answered): boolean => status === 200
const shed = ({ status }: Answered): boolean => status === 503 || status === 429

function outcome(
  rates: { callers: number; perSecond: number }[],
  peak: number,
  flood: Load,
  polite: Load,
  ms: number,
): Outcome {
  const times = flood.answers.filter(shed).map(answer => answer.ms)
  const all = flood.goodput + polite.goodput
  const result = {
    capacity: rates.map(({ callers, perSecond }) => ({ callers, perSecond: fixed(perSecond) })),
    peakPerSecond: fixed(peak),
    offeredPerSecond: fixed((1000 * flood.answers.length) / ms),
    goodputPerSecond: fixed(all),
    shareOfPeak: fixed(all / peak, 3),
    shed: times.length,
    shedMs: { p50: fixed(quantile(times, 0.5)), p99: fixed(quantile(times, 0.99)) },
    otherAnswers: flood.answers.filter(answer => !succeeded(answer) && !shed(answer)).length,
    secondToken: {
      asked: polite.answers.length,
      answered: polite.answers.filter(succeeded).length,
      p50Ms: fixed(
        quantile(
          polite.answers.map(answer => answer.ms),
          0.5,
        ),
      ),
    },
  }
  const { shedMs, secondToken } = result
  const rows = [
    [`at ${TIMES} times the capacity`, 'measured', 'target'],
    ['goodput, of the peak', `${fixed(100 * result.shareOfPeak)} %`, `>= ${100 * TARGETS.goodput} %`],
    ['refused after, median ms', shedMs.p50, ''],
    ['refused after, 99 % ms', shedMs.p99, `<= ${TARGETS.shedMs}`],
    ['answers of other kinds', result.otherAnswers, 0],
    ['second token: answered', `${secondToken.answered} of ${secondToken.asked}`, 'all'],
    ['second token: median ms', secondToken.p50Ms, ''],
  ]
  const capacity = [
    ['callers', 'a second'],
    ...result.capacity.map(({ callers, perSecond }) => [callers, perSecond]),
  ]
  return { table: `${table(capacity)}\n\n${table(rows)}`, result }
}
