/** Measures durable adds per second, and the latency of identify under this load. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { newDataKey } from '#core/encryption/key-file.ts'
import { openShardThread } from '#core/vector-store/shard/shard-thread.ts'
import { fixed, median, minimum, numbers, type Outcome, progress, quantile, table } from '../benchmark.ts'
import { clientOf, form, type Send, sample } from '../harness/client.ts'
import { startService } from '../harness/service.ts'
import type { CallersTask } from '../lib/vectors/callers.child.ts'
import { type Acknowledged, callAll } from '../lib/vectors/callers.ts'
import { startChild } from '../lib/vectors/child.ts'
import { BENCH_KEY_TEXT } from '../lib/vectors/encryption.ts'
import { NO_INDEX_BY_ITSELF } from '../lib/vectors/fill.ts'

export const description =
  'durable adds per second by number of callers, and identify latency with 64 callers'

export const options = {
  callers: { type: 'string' },
  seconds: { type: 'string' },
  dimension: { type: 'string' },
  identifies: { type: 'string' },
  /** Adds per second of all callers together during the identify requests. Unlimited when absent. */
  rate: { type: 'string' },
  /** Uses an encrypted data folder. */
  encrypted: { type: 'boolean' },
} as const

type Values = Partial<Record<Exclude<keyof typeof options, 'encrypted'>, string>> & { encrypted?: boolean }

const CALLERS = '1,16,64'
const SECONDS = 5
const DIMENSION = 160
const IDENTIFIES = 300
const BESIDE_CALLERS = 64

/** Identify requests that are not measured. */
const WARM_UP = 20

type Measured = Acknowledged & { way: string; callers: number }

export async function run(values: Values): Promise<Outcome> {
  const measured = [...(await onThread(values))]
  const service = await startService({
    env: {
      MIEN_INDEX_ABOVE: String(NO_INDEX_BY_ITSELF),
      ...(values.encrypted && { MIEN_ENCRYPTION_KEY: BENCH_KEY_TEXT }),
    },
  })
  try {
    for (const callers of numbers(values.callers ?? CALLERS)) {
      progress(`  over HTTP, callers: ${callers}`)
      const task = callersTask(service.core, callers, values)
      const { answer } = startChild<Acknowledged>('callers.child.ts', { ...task, seconds: secondsOf(values) })
      measured.push({ way: 'over HTTP', callers, ...(await answer) })
    }
    const beside = await identifyBeside(clientOf(service.edge, service.token), service.core, values)
    return outcome(values, measured, beside)
  } finally {
    await service.stop()
    await service.remove()
  }
}

const secondsOf = ({ seconds }: Values): number => Number(seconds ?? SECONDS)

const callersTask = (core: string, callers: number, { dimension }: Values): CallersTask => ({
  core,
  callers,
  dimension: Number(dimension ?? DIMENSION),
  run: `http${callers}`,
})

/** Adds vectors to a shard's thread from this process. */
async function onThread(values: Values): Promise<Measured[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mien-bench-'))
  const dataKey = values.encrypted ? newDataKey() : undefined
  const store = await openShardThread(folder, { indexAbove: NO_INDEX_BY_ITSELF, dataKey })
  try {
    const measured: Measured[] = []
    for (const callers of numbers(values.callers ?? CALLERS)) {
      progress(`  on the thread, callers: ${callers}`)
      const end = performance.now() + 1000 * secondsOf(values)
      const acknowledged = await callAll({
        callers,
        dimension: Number(values.dimension ?? DIMENSION),
        run: `thread${callers}`,
        add: (gallery, id, vector) => store.add([{ gallery, id, vector }]),
        isOver: () => performance.now() > end,
      })
      measured.push({ way: 'on the thread', callers, ...acknowledged })
    }
    return measured
  } finally {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Beside {
  idle: number[]
  loaded: number[]
  load: Acknowledged
}

/** Identifies the same photo repeatedly, one request at a time: first without load, then while callers add. */
async function identifyBeside(send: Send, core: string, values: Values): Promise<Beside> {
  const photo = await sample(1)
  const count = Number(values.identifies ?? IDENTIFIES)
  await expectOk(send, '/v0/face', photo)
  const identifies = async (): Promise<number[]> => {
    const times: number[] = []
    for (let i = 0; i < WARM_UP + count; i++) {
      const began = performance.now()
      await expectOk(send, '/v0/identify', photo)
      if (i >= WARM_UP) times.push(performance.now() - began)
    }
    return times
  }
  progress('  identifies alone')
  const idle = await identifies()
  progress('  identifies beside callers')
  const rate = values.rate === undefined ? undefined : Number(values.rate)
  const task = { ...callersTask(core, BESIDE_CALLERS, values), run: 'beside', rate }
  const callers = startChild<Acknowledged>('callers.child.ts', task)
  await Promise.race([wait(1_000), callers.answer])
  const loaded = await identifies()
  callers.process.send('stop')
  return { idle, loaded, load: await callers.answer }
}

async function expectOk(send: Send, path: string, photo: Uint8Array<ArrayBuffer>): Promise<void> {
  const { status } = await send('POST', path, form({ photo }))
  if (status !== 200) throw new Error(`${path} answered ${status}.`)
}

function outcome(
  { encrypted = false }: Values,
  measured: readonly Measured[],
  { idle, loaded, load }: Beside,
): Outcome {
  const identify = (times: readonly number[]) => ({
    minimumMs: fixed(minimum(times)),
    medianMs: fixed(median(times)),
    p99Ms: fixed(quantile(times, 0.99)),
  })
  const [alone, beside] = [identify(idle), identify(loaded)]
  const adds = table([
    ['adds', 'callers', 'per second', 'p50 ms', 'p99 ms'],
    ...measured.map(each => [each.way, each.callers, each.perSecond, each.medianMs, each.p99Ms]),
  ])
  const identifies = table([
    ['identify', 'min ms', 'p50 ms', 'p99 ms'],
    ['alone', ...Object.values(alone)],
    [`beside ${BESIDE_CALLERS} callers, ${load.perSecond} adds per second`, ...Object.values(beside)],
  ])
  const p99Ratio = fixed(beside.p99Ms / alone.p99Ms, 2)
  return {
    table: `${encrypted ? 'encrypted\n\n' : ''}${adds}\n\n${identifies}\n\nidentify p99 beside callers / alone: ${p99Ratio}`,
    result: { encrypted, adds: measured, identify: { alone, beside, load, p99Ratio } },
  }
}
