/** Measures durable adds per second over HTTP, and the latency of identify under this load. */
import { setTimeout as sleep } from 'node:timers/promises'
import { form, sample } from '#test/support/client.ts'
import { benchmark, numbers, progress } from '../benchmark.ts'
import { startChild } from '../child.ts'
import type { Added, AddingTask } from '../lib/vectors/adding.child.ts'
import { NO_INDEX_BY_ITSELF } from '../lib/vectors/fill.ts'
import type { Served } from '../rig.ts'
import { fixed, timed, timesOf } from '../statistics.ts'

const BESIDE_CALLERS = 64

/** Identify requests that are not measured. */
const WARM_UP = 20

const options = {
  callers: '1,16,64',
  seconds: 5,
  dimension: 128,
  identifies: 300,
  /** Adds per second of all callers together during the identify requests; 0 for as many as they can. */
  rate: 0,
}

export default benchmark({
  description: 'durable adds per second over HTTP by number of callers, and identify latency with 64 callers',
  options,
  async run(given, rig) {
    const adds: (Added & { callers: number })[] = []
    const service = await rig.service({ env: { MIEN_INDEX_ABOVE: String(NO_INDEX_BY_ITSELF) } })
    for (const callers of numbers(given.callers)) {
      progress(`callers: ${callers}`)
      const task = { ...given, core: service.core, callers, run: `http${callers}`, rate: 0 }
      adds.push({ callers, ...(await startAdding(task).next()) })
    }
    return { adds, identify: await identifyBeside(service, given) }
  },
})

const startAdding = (task: AddingTask) =>
  startChild<Added>(new URL('../lib/vectors/adding.child.ts', import.meta.url), task)

/** Identifies the same photo repeatedly, one request at a time: first without load, then while callers add. */
async function identifyBeside({ core, send }: Served, { identifies, dimension, rate }: typeof options) {
  const photo = await sample(1)
  const post = async (path: string) => {
    const { status } = await send('POST', path, form({ photo }))
    if (status !== 200) throw new Error(`${path} answered ${status}.`)
  }
  await post('/v0/face')
  const measured = async () => {
    const times: number[] = []
    for (let i = 0; i < WARM_UP + identifies; i++) times.push(await timed(() => post('/v0/identify')))
    return timesOf(times.slice(WARM_UP))
  }
  progress('identifies alone')
  const alone = await measured()
  progress('identifies beside callers')
  const adding = startAdding({ core, dimension, rate, callers: BESIDE_CALLERS, run: 'beside' })
  await sleep(1_000)
  const beside = await measured()
  const ended = adding.next()
  adding.stop()
  return { alone, beside, load: await ended, p99Ratio: fixed(beside.p99Ms / alone.p99Ms, 2) }
}
