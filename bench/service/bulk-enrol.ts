/** Measures `mien enrol` against a plain load generator on the same photos, and the memory of the command. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { evenly, exists, fixed, fromCaller, type Outcome, progress, table } from '../benchmark.ts'
import { clientOf, form } from '../harness/client.ts'
import { type Service, startService } from '../harness/service.ts'
import { newToken } from '../harness/tokens.ts'
import { enrolCommand, metaOf, photosIn, type Run } from '../lib/load/enrol-command.ts'

export const description = 'enrolments a second of `mien enrol` beside a plain load generator, and its memory'

export const options = {
  images: { type: 'string' },
  photos: { type: 'string' },
  callers: { type: 'string' },
} as const

/** Photos of a run, and callers of the load generator: more do not enrol faster on one edge worker. */
const PHOTOS = 480
const CALLERS = 6

/** Rounds of both, each with a part of the photos. */
const ROUNDS = 4

/** Photos that load networks and code before the measurement. */
const WARM_UP = 24

/** Least share of the load generator's rate. */
const TARGET = 0.9

export async function run(values: { images?: string; photos?: string; callers?: string }): Promise<Outcome> {
  const images = fromCaller(values.images ?? '../shared/data/lfw-dev')
  if (!(await exists(images))) return { table: `skipped: there is no ${images}`, result: { skipped: true } }
  const photos = evenly(await photosIn(images), Number(values.photos ?? PHOTOS))
  const callers = Number(values.callers ?? CALLERS)
  const service = await startService()
  const folder = await mkdtemp(join(tmpdir(), 'mien-bulk-'))
  try {
    await loadGenerator(service, 'warm-up', photos.slice(0, WARM_UP), callers)
    const plain: Run[] = []
    const command: Run[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const part = photos.filter((_, i) => i % ROUNDS === round)
      const runs = [
        async () => plain.push(await loadGenerator(service, `plain-${round}`, part, callers)),
        async () => command.push(await enrolCommand(service, `command-${round}`, part, folder)),
      ]
      // The order alternates: a machine that becomes slower favours none.
      for (const measure of round % 2 === 0 ? runs : runs.toReversed()) await measure()
    }
    return outcome(photos.length, callers, plain, command)
  } finally {
    await service.stop()
    await service.remove()
    await rm(folder, { recursive: true })
  }
}

/** A fixed number of callers, each of which sends the next photo after an answer. */
async function loadGenerator(
  { edge, data }: Service,
  owner: string,
  photos: readonly string[],
  callers: number,
): Promise<Run> {
  const send = clientOf(edge, newToken(data, owner))
  progress(`  ${owner}: ${photos.length} photos`)
  const began = performance.now()
  let next = 0
  let enrolled = 0
  const caller = async () => {
    for (let path = photos[next++]; path !== undefined; path = photos[next++]) {
      const photo = new Uint8Array(await readFile(path))
      const { status } = await send('POST', '/v0/face', form({ photo, meta: metaOf(path) }))
      if (status === 200) enrolled++
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return { seconds: (performance.now() - began) / 1000, enrolled, memory: [] }
}

function outcome(photos: number, callers: number, plain: readonly Run[], command: readonly Run[]): Outcome {
  const rates = { plain: rateOf(plain), command: rateOf(command) }
  const ratio = rates.command / rates.plain
  const memory = command.map(({ memory }) => ({
    early: fixed(mean(memory.slice(memory.length / 4, memory.length / 2))),
    late: fixed(mean(memory.slice(-memory.length / 4))),
    most: fixed(Math.max(...memory)),
  }))
  const rows = [
    ['', 'photos', 'enrolled', 'per second', 'of each round'],
    [`${callers} callers`, photos, sumOf(plain, 'enrolled'), fixed(rates.plain, 2), ratesOf(plain).join(' ')],
    ['mien enrol', photos, sumOf(command, 'enrolled'), fixed(rates.command, 2), ratesOf(command).join(' ')],
  ]
  const lines = memory.map(
    ({ early, late, most }, i) =>
      `memory of run ${i + 1}: ${early} MB in its second quarter, ${late} MB in its last, ${most} MB at most`,
  )
  return {
    table: [table(rows), `ratio ${fixed(ratio, 3)}, at least ${TARGET} is asked`, ...lines].join('\n'),
    result: {
      photos,
      callers,
      plainPerSecond: fixed(rates.plain, 2),
      commandPerSecond: fixed(rates.command, 2),
      plainRounds: ratesOf(plain),
      commandRounds: ratesOf(command),
      ratio: fixed(ratio, 3),
      memory,
    },
  }
}

const sumOf = (runs: readonly Run[], field: 'seconds' | 'enrolled'): number =>
  runs.reduce((sum, run) => sum + run[field], 0)

const rateOf = (runs: readonly Run[]): number => sumOf(runs, 'enrolled') / sumOf(runs, 'seconds')

const ratesOf = (runs: readonly Run[]): number[] => runs.map(run => fixed(rateOf([run]), 2))

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
