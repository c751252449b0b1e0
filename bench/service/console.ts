/** Measures the console in Chromium: first paint, memory over a long gallery, and enrolments beside `mien enrol`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { evenly, exists, fixed, fromCaller, median, minimum, type Outcome, table } from '../benchmark.ts'
import { chromiumPath, startChromium } from '../harness/chromium.ts'
import { clientOf, form, sample } from '../harness/client.ts'
import { insertEvents } from '../harness/insert-events.ts'
import { type Service, startService } from '../harness/service.ts'
import { enrolInConsole } from '../lib/console/enrol-folder.ts'
import { firstPaints } from '../lib/console/first-paint.ts'
import { type ScrollState, scrollThrough } from '../lib/console/scroll.ts'
import { enrolCommand, photosIn, type Run } from '../lib/load/enrol-command.ts'

export const description =
  'the console: first paint, memory over a long gallery, enrolments beside `mien enrol`'

export const options = {
  faces: { type: 'string' },
  photos: { type: 'string' },
  images: { type: 'string' },
} as const

const FACES = 6_000
const PHOTOS = 1_000

/** Rounds of both ways to enrol, each with a part of the photos. */
const ROUNDS = 2

/** Targets: milliseconds of the first paint, and share of `mien enrol`'s rate. */
const FIRST_PAINT_MS = 1_000
const ENROL_SHARE = 0.8

export async function run(values: { faces?: string; photos?: string; images?: string }): Promise<Outcome> {
  if (chromiumPath === undefined)
    return { table: 'skipped: there is no Chromium (see CHROMIUM_PATH)', result: { skipped: true } }
  const images = fromCaller(values.images ?? '../shared/data/lfw-dev')
  const photos = (await exists(images))
    ? evenly(await photosIn(images), Number(values.photos ?? PHOTOS))
    : undefined
  const service = await startService()
  const browser = await startChromium()
  try {
    const paints = await firstPaints(browser, service.edge, service.token)
    const rates = photos && (await enrolments(browser, service, photos))
    const states = await scrolled(browser, service, Number(values.faces ?? FACES))
    return outcome(paints, states, rates)
  } finally {
    await browser.close()
    await service.stop()
    await service.remove()
  }
}

async function scrolled(browser: Browser, service: Service, faces: number): Promise<ScrollState[]> {
  const send = clientOf(service.edge, service.token)
  const { body } = await send('POST', '/v1/face', form({ photo: await sample(3) }))
  const thumbnail = Buffer.from(await (await fetch(body.results[0].thumbnail)).arrayBuffer())
  await insertEvents(service, faces)
  return scrollThrough(browser, service, faces, thumbnail)
}

/** Photos enrolled per second by the page and by the command. */
async function enrolments(
  browser: Browser,
  service: Service,
  photos: readonly string[],
): Promise<{ page: number; command: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'mien-console-'))
  const page: Run[] = []
  const command: Run[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const part = photos.filter((_, i) => i % ROUNDS === round)
    const runs = [
      async () => page.push(await enrolInConsole(browser, service, `page-${round}`, part)),
      async () => command.push(await enrolCommand(service, `command-${round}`, part, folder)),
    ]
    // The order alternates: a machine that becomes slower favours none.
    for (const measure of round % 2 === 0 ? runs : runs.toReversed()) await measure()
  }
  await rm(folder, { recursive: true })
  return { page: rateOf(page), command: rateOf(command) }
}

const rateOf = (runs: readonly Run[]): number => sumOf(runs, 'enrolled') / sumOf(runs, 'seconds')

const sumOf = (runs: readonly Run[], field: 'seconds' | 'enrolled'): number =>
  runs.reduce((sum, run) => sum + run[field], 0)

function outcome(
  paints: readonly number[],
  states: readonly ScrollState[],
  rates: { page: number; command: number } | undefined,
): Outcome {
  const firstPaint = { minimumMs: fixed(minimum(paints)), medianMs: fixed(median(paints)) }
  const scroll = states.map(({ asked, heapMb, elements }) => ({ asked, heapMb: fixed(heapMb, 2), elements }))
  const enrolment = rates && {
    pagePerSecond: fixed(rates.page, 2),
    commandPerSecond: fixed(rates.command, 2),
    share: fixed(rates.page / rates.command, 3),
  }
  const lines = [
    `first paint: ${firstPaint.minimumMs} ms at least, median ${firstPaint.medianMs} ms; ${FIRST_PAINT_MS} ms at most are asked`,
    table([
      ['faces asked for', 'heap MB', 'elements'],
      ...scroll.map(state => [state.asked, state.heapMb, state.elements]),
    ]),
    enrolment
      ? `faces enrolled per second: page ${enrolment.pagePerSecond}, mien enrol ${enrolment.commandPerSecond}, share ${enrolment.share}; at least ${ENROL_SHARE} is asked`
      : 'enrolments: skipped, there are no photos',
  ]
  return { table: lines.join('\n'), result: { firstPaint, scroll, ...(enrolment && { enrolment }) } }
}
