/** Measures behaviour above the capacity: goodput, time to refusal, and the latency of a second token. */
import { benchmark, progress } from '../benchmark.ts'
import { newToken } from '../harness/tokens.ts'
import { type Ask, after, callers, cheapClient, openLoop, posting, type Response } from '../load.ts'
import { portrait } from '../photos.ts'
import { fixed, median, percent, quantile } from '../statistics.ts'

/** Numbers of callers that send the next request after each response. The capacity is the highest throughput among them. */
const CALLERS = [1, 2, 4, 8, 16, 32]
const TIMES = 3

/** Goodput as a fraction of the capacity, and milliseconds to 99 % of the refusals. */
const TARGETS = { goodput: '>= 90 %', shedP99Ms: '<= 50', otherAnswers: 0, secondToken: 'all answered' }

const succeeded = ({ status }: Response): boolean => status === 200
const shed = ({ status }: Response): boolean => status === 503 || status === 429

export default benchmark({
  description:
    'goodput and refusals at three times the capacity, with a second token that sends few requests',
  options: {
    /** Seconds of each measurement. */
    seconds: 20,
    path: '/v0/identify',
  },
  async run({ seconds, path }, rig) {
    const service = await rig.service()
    const photo = await (await portrait()).jpeg({ quality: 85 }).toBuffer()
    const asking = (token: string) => {
      const ask = cheapClient(service.edge, token)
      return () => ask(posting(path, photo))
    }
    const first = asking(service.token)
    await closedLoop(first, 4, seconds / 2)
    const capacity = []
    for (const count of CALLERS) {
      progress(`${count} callers`)
      capacity.push({ callers: count, perSecond: (await closedLoop(first, count, seconds)).goodput })
    }
    const peak = Math.max(...capacity.map(({ perSecond }) => perSecond))
    progress(`${TIMES} times ${peak} a second`)
    const second = asking(newToken(service.data, 'second'))
    const [flood, polite] = await Promise.all([
      flooded(first, TIMES * peak, seconds),
      closedLoop(second, 1, seconds),
    ])
    const refusals = flood.answers.filter(shed).map(({ ms }) => ms)
    return {
      capacity,
      peakPerSecond: peak,
      offeredPerSecond: fixed(flood.answers.length / seconds),
      goodputPerSecond: fixed(flood.goodput + polite.goodput),
      goodput: percent((flood.goodput + polite.goodput) / peak),
      shed: refusals.length,
      shedMedianMs: fixed(median(refusals)),
      shedP99Ms: fixed(quantile(refusals, 0.99)),
      otherAnswers: flood.answers.filter(answer => !succeeded(answer) && !shed(answer)).length,
      secondToken: `${polite.answers.filter(succeeded).length} of ${polite.answers.length} answered`,
      secondTokenMedianMs: fixed(median(polite.answers.map(({ ms }) => ms))),
      targets: TARGETS,
    }
  },
})

/** All responses, and the number of timely successful ones per second. */
interface Load {
  answers: Response[]
  goodput: number
}

async function closedLoop(ask: () => ReturnType<Ask>, count: number, seconds: number): Promise<Load> {
  const end = performance.now() + 1000 * seconds
  const answers: Response[] = []
  await callers(count, after(1000 * seconds), async () => answers.push(await ask()))
  return { answers, goodput: goodputOf(answers, end, seconds) }
}

async function flooded(ask: () => ReturnType<Ask>, perSecond: number, seconds: number): Promise<Load> {
  const end = performance.now() + 1000 * seconds
  const answers: Response[] = []
  await openLoop(perSecond, 1000 * seconds, async () => answers.push(await ask()))
  return { answers, goodput: goodputOf(answers, end, seconds) }
}

const goodputOf = (answers: readonly Response[], end: number, seconds: number): number =>
  fixed(answers.filter(answer => succeeded(answer) && answer.at <= end).length / seconds)
