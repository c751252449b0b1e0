/** Four cameras that people pass: cores of `mien watch` with its ffmpeg, events a visit, and delays of events. Linux only. */
import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fixed, median, quantile } from '../../benchmark.ts'
import { clientOf } from '../../harness/client.ts'
import { descendantsOf } from '../../harness/processes.ts'
import type { Service } from '../../harness/service.ts'
import { coresOf } from './cpu.ts'
import { startLogged } from './logged-command.ts'
import { passingClip } from './visit-clip.ts'

const CAMERAS = 4

/** Two people pass in each period. They come this long after its beginning. Milliseconds. */
const PERIOD_MS = 60_000
const COMING_MS = [10_000, 40_000] as const

/** Default of `--absence`, in milliseconds. */
const ABSENCE_MS = 5_000

/** How long ffmpeg and the first frames may take. */
const OPENING_MS = 60_000

export interface Passing {
  /** Of the watcher and its ffmpeg together, and of the service. */
  cores: number
  serviceCores: number
  visits: number
  /** Visits without an event. */
  missed: number
  eventsPerVisit: number
  /** Seconds: with `early` after the first sight, otherwise after the absence that ends a visit. */
  medianDelay: number
  longestDelay: number
}

interface SeenFace {
  id: number
  cam_id: string
  detector_info: { first_seen: string; last_seen: string }
}

/** Watches for so many periods. */
export async function passing(
  service: Service,
  folder: string,
  periods: number,
  early: boolean,
): Promise<Passing> {
  await mkdir(folder, { recursive: true })
  await passingClip(folder, 'passing')
  const send = clientOf(service.edge, service.token)
  const ids: string[] = []
  for (let i = 0; i < CAMERAS; i++)
    ids.push((await send('POST', '/v1/camera', { url: 'passing.ts' })).body.id)
  const opened = new Map<string, number>()
  const postedAt = new Map<number, number>()
  const watcher = startLogged(
    ['watch', '--files', folder, ...(early ? ['--early'] : [])],
    { MIEN_URL: service.edge, MIEN_TOKEN: service.token },
    ({ event, camera, face }) => {
      if (event === 'camera open') opened.set(String(camera), Date.now())
      if (event === 'visit posted') postedAt.set(Number(face), Date.now())
    },
  )
  try {
    for (const end = Date.now() + OPENING_MS; opened.size < CAMERAS; await sleep(100))
      if (Date.now() > end) throw new Error('The cameras have not opened.')
    const watching = async () => [watcher.pid, ...(await descendantsOf(watcher.pid, 'image2pipe'))]
    const serving = async () => [service.pid, ...(await descendantsOf(service.pid, ''))]
    const [cores, serviceCores] = await Promise.all(
      [watching, serving].map(async pids => coresOf(await pids(), PERIOD_MS * periods)),
    )
    await watcher.stop('SIGTERM')
    const faces = await Promise.all(
      ids.map(async id => (await send('GET', `/v1/faces?cam_id=${id}`)).body.results as SeenFace[]),
    )
    const slots = faces.flatMap((those, i) => slotsOf(those, opened.get(ids[i]!)!, periods))
    const delays = faces.flat().flatMap(({ id, detector_info: { first_seen, last_seen } }) => {
      const from = early ? Date.parse(first_seen) : Date.parse(last_seen) + ABSENCE_MS
      const at = postedAt.get(id)
      return at === undefined ? [] : [(at - from) / 1_000]
    })
    const events = slots.reduce((sum, count) => sum + count, 0)
    return {
      ...{ cores: fixed(cores!, 2), serviceCores: fixed(serviceCores!, 2), visits: slots.length },
      ...{ missed: slots.filter(count => count === 0).length },
      eventsPerVisit: fixed(events / slots.length, 2),
      ...{ medianDelay: fixed(median(delays)), longestDelay: fixed(quantile(delays, 1)) },
    }
  } finally {
    await watcher.stop('SIGKILL')
    for (const id of ids) await send('DELETE', `/v1/camera/${id}`)
  }
}

/** Number of events of each visit of a camera. A visit belongs to the time in which its person comes. */
function slotsOf(faces: readonly SeenFace[], openedAt: number, periods: number): number[] {
  const slots = new Array<number>(periods * COMING_MS.length).fill(0)
  for (const { detector_info } of faces) {
    const at = Date.parse(detector_info.first_seen) - openedAt
    const slot = Math.floor(at / (PERIOD_MS / COMING_MS.length))
    if (slot >= 0 && slot < slots.length) slots[slot]!++
  }
  return slots
}
