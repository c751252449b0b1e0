/** Measures `mien watch`: tracks and events on a clip, CPU time of one and of four cameras, delays, and losses of streams. */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type Analyzer, openAnalyzer } from '#camera/analysis/analyzer.ts'
import { CLOSER_EVERY_MS } from '#camera/analysis/frame-loop.ts'
import { readFrames } from '#camera/frames/ffmpeg.ts'
import { openTracker } from '#camera/tracking/tracker.ts'
import type { Raster } from '#wasm/imaging/image.ts'
import { exists, fixed, fromCaller, type Outcome, table } from '../benchmark.ts'
import { ffmpeg, hasFfmpeg, movingClip } from '../harness/clips.ts'
import { startService } from '../harness/service.ts'
import { cpuOf } from '../lib/cameras/cpu.ts'
import { losses } from '../lib/cameras/losses.ts'
import { passing } from '../lib/cameras/passing.ts'
import { type FrameFace, peopleOn } from '../lib/cameras/people.ts'

export const description =
  '`mien watch`: tracks a person, events a visit, CPU time, delays, losses of streams'

export const options = {
  clip: { type: 'string' },
  people: { type: 'string' },
  seconds: { type: 'string' },
  minutes: { type: 'string' },
  losses: { type: 'string' },
} as const

const FPS = 5
const LEAST_SIDE = 50
const LEAST_QUALITY = 0.2
const ABSENCE_MS = 5_000

/** Times that the clip is shown. Nobody is there in between. */
const VISITS = 3
const BETWEEN_MS = 30_000

const SECONDS = 20

/** Minutes in which people pass four cameras, and number of lost streams. */
const MINUTES = 3
const LOSSES = 50

interface Values {
  clip?: string
  people?: string
  seconds?: string
  minutes?: string
  losses?: string
}

export async function run(values: Values): Promise<Outcome> {
  if (!hasFfmpeg) return { table: 'skipped: there is no ffmpeg', result: { skipped: true } }
  const clip = fromCaller(values.clip ?? '../shared/data/video/short_hamilton_clip.mp4')
  const folder = await mkdtemp(join(tmpdir(), 'mien-cameras-'))
  const analyzer = await openAnalyzer(1)
  try {
    const tracking = (await exists(clip))
      ? await tracked(analyzer, clip, Number(values.people ?? 0))
      : undefined
    const cpu = await cpuRows(analyzer, tracking && clip, folder, Number(values.seconds ?? SECONDS))
    await analyzer.close()
    const site = await siteRows(folder, Number(values.minutes ?? MINUTES), Number(values.losses ?? LOSSES))
    return outcome(tracking, cpu, site)
  } finally {
    await analyzer.close()
    await rm(folder, { recursive: true })
  }
}

/** The whole watcher beside the service. */
async function siteRows(folder: string, minutes: number, lost: number) {
  const service = await startService()
  try {
    return {
      passing: await passing(service, join(folder, 'passing'), minutes, false),
      early: await passing(service, join(folder, 'passing'), minutes, true),
      endurance: await losses(service, join(folder, 'lost.ts'), lost),
      loadAverage: fixed(loadavg()[2]!),
    }
  } finally {
    await service.stop()
    await service.remove()
  }
}

/** Analyses every frame of the clip, as the watcher does it without load, and follows the faces. */
async function tracked(analyzer: Analyzer, clip: string, given: number) {
  const frames = await framesOf(clip)
  const faces: FrameFace[] = []
  for (const [frame, picture] of frames.entries()) {
    const wanted = ((frame * 1_000) / FPS) % CLOSER_EVERY_MS === 0 ? 'all' : 'clear'
    const seen = await analyzer.analyze(() => ({ frame: picture, leastSide: LEAST_SIDE, wanted }))
    faces.push(...seen!.map(face => ({ ...face, frame })))
  }
  const groups = peopleOn(faces)
  const people = given || groups.filter(group => group.length > 1).length
  const clear = groups.filter(
    group => group.length > 1 && group.some(({ quality }) => quality >= LEAST_QUALITY),
  ).length
  const all = reported(frames.length, faces, () => true)
  const events = reported(frames.length, faces, ({ quality }) => quality >= LEAST_QUALITY)
  return {
    ...{ frames: frames.length, faces: faces.length, people, clearPeople: clear },
    tracksPerPerson: fixed(all / VISITS / people, 2),
    eventsPerVisit: fixed(events / VISITS / clear, 2),
  }
}

/** Visits that the tracker reports when the clip is shown VISITS times. */
function reported(
  frames: number,
  faces: readonly FrameFace[],
  isShown: (face: FrameFace) => boolean,
): number {
  const tracker = openTracker<true>({ absenceMs: ABSENCE_MS, longestMs: 60_000 })
  const byFrame = Map.groupBy(faces, ({ frame }) => frame)
  let count = 0
  for (let visit = 0; visit < VISITS; visit++) {
    const start = visit * ((frames * 1_000) / FPS + BETWEEN_MS)
    for (let frame = 0; frame < frames; frame++) {
      const time = start + (frame * 1_000) / FPS
      count += tracker.due(time).length
      tracker.see(byFrame.get(frame) ?? [], time, face => isShown(face as FrameFace) || undefined)
    }
  }
  return count + tracker.end().length
}

async function framesOf(clip: string): Promise<Raster[]> {
  const frames: Raster[] = []
  const { signal } = new AbortController()
  await readFrames({
    input: { options: ['-i', clip] },
    fps: FPS,
    onFrame: frame => frames.push(frame),
    signal,
  })
  return frames
}

/** CPU time of one camera, by what it shows. */
async function cpuRows(analyzer: Analyzer, clip: string | undefined, folder: string, seconds: number) {
  movingClip(join(folder, 'three.ts'), { seconds: 10, size: '1920x1080', fps: 25 })
  ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=1920x1080:r=25:d=10', '-q:v', '3', join(folder, 'moving.ts'))
  ffmpeg('-f', 'lavfi', '-i', 'smptebars=s=1920x1080:r=25:d=10', '-q:v', '3', join(folder, 'still.ts'))
  const scenes = [
    ...(clip === undefined ? [] : [['the clip', clip] as const]),
    ['three people, the whole picture moves, 1080p', join(folder, 'three.ts')] as const,
    ['nobody, the whole picture moves, 1080p', join(folder, 'moving.ts')] as const,
    ['nothing moves, 1080p', join(folder, 'still.ts')] as const,
  ]
  const rows = []
  for (const [scene, file] of scenes) {
    const settings = {
      ...{ files: dirname(file), fps: FPS, leastSide: LEAST_SIDE, leastQuality: LEAST_QUALITY },
      ...{ absenceMs: ABSENCE_MS, longestMs: 60_000 },
    }
    const { watcher, ffmpeg, analysed } = await cpuOf(analyzer, basename(file), settings, seconds)
    rows.push({ scene, watcher: fixed(watcher, 2), ffmpeg: fixed(ffmpeg, 2), analysed: fixed(analysed) })
  }
  return rows
}

function outcome(
  tracking: Awaited<ReturnType<typeof tracked>> | undefined,
  cpu: Awaited<ReturnType<typeof cpuRows>>,
  site: Awaited<ReturnType<typeof siteRows>>,
): Outcome {
  const { passing, early, endurance } = site
  const lines = [
    tracking
      ? `${tracking.faces} faces of ${tracking.people} people on ${tracking.frames} frames: ${tracking.tracksPerPerson} tracks a person, ` +
        `${tracking.eventsPerVisit} events a visit of the ${tracking.clearPeople} people with a clear picture`
      : 'tracks: skipped, there is no clip',
    table([
      [`cores of a camera at ${FPS} frames a second`, 'watcher', 'ffmpeg', 'frames analysed a second'],
      ...cpu.map(({ scene, watcher, ffmpeg, analysed }) => [scene, watcher, ffmpeg, analysed]),
    ]),
    table([
      [
        ...['four cameras of 1280 x 720', 'cores', 'of the service', 'visits', 'missed'],
        ...['events a visit', 'median delay s', 'longest delay s'],
      ],
      ['after the absence', ...Object.values(passing)],
      ['early, after the first sight', ...Object.values(early)],
    ]),
    `${endurance.losses} lost streams: ${endurance.megabytesFirst} MB at first, ${endurance.megabytesLast} MB at last, ` +
      `${endurance.zombies} zombies, all cameras open again within ${endurance.longestGap} s`,
    `load average ${site.loadAverage}`,
  ]
  return { table: lines.join('\n'), result: { ...(tracking && { tracking }), cpu, ...site } }
}
