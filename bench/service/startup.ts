/** Measures the time from `npm start` to the first detected face: on a new installation, and on later starts. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fixed, type Outcome, table } from '../benchmark.ts'
import { clientOf, form, sample } from '../harness/client.ts'
import { startService } from '../harness/service.ts'

export const description = 'time from start to the first detect: with models to build, and on later starts'

export const options = {} as const

const ROOT = join(import.meta.dirname, '..', '..')
const LATER_STARTS = 3

export async function run(): Promise<Outcome> {
  for (const built of ['models/built', 'wasm/built', 'dist'])
    await rm(join(ROOT, built), { recursive: true, force: true })
  const first = await timeToFirstDetect()
  const later: number[] = []
  for (let i = 0; i < LATER_STARTS; i++) later.push(await timeToFirstDetect())
  const rows = [
    ['start', 'seconds to the first detect'],
    ['first, nothing built', fixed(first, 2)],
    ['later, fastest', fixed(Math.min(...later), 2)],
    ['later, slowest', fixed(Math.max(...later), 2)],
  ]
  return {
    table: table(rows),
    result: { firstSeconds: fixed(first, 2), laterSeconds: later.map(s => fixed(s, 2)) },
  }
}

async function timeToFirstDetect(): Promise<number> {
  const photo = await sample(1)
  const began = performance.now()
  const service = await startService()
  try {
    const { status } = await clientOf(service.edge, service.token)('POST', '/v0/detect', form({ photo }))
    if (status !== 200) throw new Error(`The first detect answered ${status}.`)
    return (performance.now() - began) / 1000
  } finally {
    await service.stop()
    await service.remove()
  }
}
