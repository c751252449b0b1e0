/** Measures the time from `npm start` to the first detected face, and from saving a source to its first answer under `npm run dev`. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fixed, median, type Outcome, table } from '../benchmark.ts'
import { clientOf, form, sample } from '../harness/client.ts'
import { type Development, startDevelopment, statusesUntil } from '../harness/development.ts'
import { startService } from '../harness/service.ts'

export const description =
  'time from start to the first detect, with models to build and on later starts; with --reloads from saving a source to its answer'

export const options = { reloads: { type: 'boolean' } } as const

const ROOT = join(import.meta.dirname, '..', '..')
const LATER_STARTS = 3

export async function run({ reloads }: Record<string, string | boolean | undefined>): Promise<Outcome> {
  return reloads ? measureReloads() : measureStarts()
}

async function measureStarts(): Promise<Outcome> {
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

const ROUNDS = 5

/** A text of each part, and where it is seen. */
const CHANGES = [
  {
    part: 'edge',
    path: 'edge/app.ts',
    text: "status: 'ok",
    url: ({ edge }: Development) => `${edge}/healthz`,
  },
  {
    part: 'core',
    path: 'core/http/health.ts',
    text: "status: 'up",
    url: ({ core }: Development) => `${core}/healthz`,
  },
  {
    part: 'console',
    path: 'console/index.html',
    text: '<title>Mien',
    url: ({ edge }: Development) => `${edge}/`,
  },
]

async function measureReloads(): Promise<Outcome> {
  const development = await startDevelopment()
  try {
    const rows: [string, ...number[]][] = []
    for (const { part, path, text, url } of CHANGES) {
      const seconds: number[] = []
      for (let round = 1; round <= ROUNDS; round++) {
        const mark = `-round-${round}`
        await development.change(path, round === 1 ? text : `${text}-round-${round - 1}`, `${text}${mark}`)
        const began = performance.now()
        await statusesUntil(url(development), mark)
        seconds.push((performance.now() - began) / 1000)
      }
      rows.push([part, Math.min(...seconds), median(seconds), Math.max(...seconds)])
    }
    const rounded = rows.map(([part, ...seconds]) => [part, ...seconds.map(s => fixed(s, 2))])
    return {
      table: table([['saved', 'min s', 'median s', 'max s'], ...rounded]),
      result: { reloadSeconds: Object.fromEntries(rounded.map(([part, ...seconds]) => [part, seconds])) },
    }
  } finally {
    await development.stop()
  }
}
