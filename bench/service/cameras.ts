/** Measures `mien watch`: tracks and events on a clip, CPU time of one and of several cameras, and delays. */
import { loadavg } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type Analyzer, openAnalyzer } from '#camera/analysis/analyzer.ts'
import { CLOSER_EVERY_MS } from '#camera/analysis/frame-loop.ts'
import { readFrames } from '#camera/frames/ffmpeg.ts'
import { openTracker, type SeenFace } from '#camera/tracker.ts'
import type { Raster } from '#wasm/imaging/image.ts'
import { benchmark, exists, fromCaller, need } from '../benchmark.ts'
import { ffmpeg, hasFfmpeg, movingClip } from '../harness/clips.ts'
import { entering } from '../lib/cameras/entering.ts'
import { momentSizes } from '../lib/cameras/moments.ts'
import { costOfCamera, passing } from '../lib/cameras/watching.ts'
import { withRig } from '../rig.ts'
import { fixed } from '../statistics.ts'

/** A face and the index of its frame. */
interface FrameFace extends SeenFace {
  readonly frame: number
}

const SETTINGS = {
  fps: 5,
  leastSide: 50,
  leastQuality: 0.2,
  absenceMs: 5_000,
  longestMs: 60_000,
  early: false,
}

/** Times that the clip is shown. Nobody is there in between. */
const VISITS = 3
const BETWEEN_MS = 30_000

export default benchmark({
  description: '`mien watch`: tracks a person, events a visit, CPU time, delays',
  options: {
    clip: '../shared/data/video/short_hamilton_clip.mp4',
    /** People on the clip; 0 to count groups of alike faces. */
    people: 0,
    /** Seconds of each scene. */
    seconds: 20,
    /** Minutes in which people pass the cameras; 0 leaves them out. */
    minutes: 3,
    /** Cameras that people pass. */
    cameras: 4,
    /** Folder of folders of photos of people, who enter three times; empty to leave them out. */
    images: '../shared/data/lfw-dev',
  },
  async run({ people, seconds, minutes, cameras, ...given }, rig) {
    need(hasFfmpeg, 'ffmpeg')
    const clip = fromCaller(given.clip)
    const hasClip = await exists(clip)
    const analyzer = await openAnalyzer(1)
    rig.defer(() => analyzer.close())
    const tracking = hasClip ? await tracked(analyzer, clip, people) : `skipped: it needs ${clip}`
    const scenes = { ...(hasClip && { 'the clip': clip }), ...writeScenes(await rig.folder()) }
    const cpu = []
    for (const [scene, file] of Object.entries(scenes)) {
      const settings = { ...SETTINGS, files: dirname(file) }
      cpu.push({ scene, ...(await costOfCamera(analyzer, basename(file), settings, seconds)) })
    }
    await analyzer.close()
    const service = await rig.service()
    const pass = (early: boolean) =>
      withRig(own => passing(service, { cameras, periods: minutes, early }, own))
    return {
      tracking,
      cpu,
      ...(minutes > 0 && {
        passing: {
          'after the absence': await pass(false),
          'early, after the first sight': await pass(true),
        },
      }),
      ...(given.images && {
        entering: (await exists(fromCaller(given.images)))
          ? await withRig(own => entering(service, fromCaller(given.images), own))
          : `skipped: it needs ${given.images}`,
      }),
      megabytesOfMoments: await withRig(own => momentSizes(service, own)),
      loadAverage: fixed(loadavg()[2]!),
    }
  },
})

/** Scenes of 1080p. */
function writeScenes(folder: string): Record<string, string> {
  const [three, moving, still] = ['three', 'moving', 'still'].map(name => join(folder, `${name}.ts`))
  movingClip(three!, { seconds: 10, size: '1920x1080', fps: 25 })
  ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=1920x1080:r=25:d=10', '-q:v', '3', moving!)
  ffmpeg('-f', 'lavfi', '-i', 'smptebars=s=1920x1080:r=25:d=10', '-q:v', '3', still!)
  return {
    'three people, the whole picture moves': three!,
    'nobody, the whole picture moves': moving!,
    'nothing moves': still!,
  }
}

/** Analyses every frame of the clip, as the watcher does it without load, and follows the faces. */
async function tracked(analyzer: Analyzer, clip: string, given: number) {
  const frames = await framesOf(clip)
  const faces: FrameFace[] = []
  for (const [frame, picture] of frames.entries()) {
    const wanted = ((frame * 1_000) / SETTINGS.fps) % CLOSER_EVERY_MS === 0 ? 'all' : 'clear'
    const seen = await analyzer.analyze(() => ({ frame: picture, leastSide: SETTINGS.leastSide, wanted }))
    faces.push(...seen!.map(face => ({ ...face, frame })))
  }
  const isClear = ({ quality }: FrameFace) => quality >= SETTINGS.leastQuality
  const groups = peopleOn(faces).filter(group => group.length > 1)
  const people = given || groups.length
  const clearPeople = groups.filter(group => group.some(isClear)).length
  const all = reported(frames.length, faces, () => true)
  const events = reported(frames.length, faces, isClear)
  return {
    ...{ frames: frames.length, faces: faces.length, people, clearPeople },
    tracksPerPerson: fixed(all / VISITS / people, 2),
    eventsPerVisit: fixed(events / VISITS / clearPeople, 2),
  }
}

/** Mean cosine of two groups of one person: that of the threshold `medium`. */
const SAME = 0.38

/** Groups by average linkage: the two groups with the greatest mean cosine are joined, while it is at least SAME. */
function peopleOn(faces: readonly FrameFace[]): FrameFace[][] {
  const groups = faces.map(face => [face])
  for (;;) {
    let best: { cosine: number; a: number; b: number } | undefined
    for (let a = 0; a < groups.length; a++)
      for (let b = a + 1; b < groups.length; b++) {
        const cosine = meanCosine(groups[a]!, groups[b]!)
        if (cosine >= (best?.cosine ?? SAME)) best = { cosine, a, b }
      }
    if (!best) return groups
    groups[best.a]!.push(...groups[best.b]!)
    groups.splice(best.b, 1)
  }
}

/** The mean cosine; -1 for groups with a common frame, which are two people. */
function meanCosine(a: readonly FrameFace[], b: readonly FrameFace[]): number {
  const frames = new Set(a.map(({ frame }) => frame))
  if (b.some(({ frame }) => frames.has(frame))) return -1
  const sums = [a, b].map(group => sumOf(group))
  return sums[0]!.reduce((sum, value, i) => sum + value * sums[1]![i]!, 0) / (a.length * b.length)
}

const sumOf = (faces: readonly FrameFace[]): Float64Array =>
  faces.reduce(
    (sum, { embedding }) => sum.map((value, i) => value + embedding[i]!),
    new Float64Array(faces[0]!.embedding.length),
  )

/** Visits that the tracker reports when the clip is shown VISITS times. */
function reported(
  frames: number,
  faces: readonly FrameFace[],
  isShown: (face: FrameFace) => boolean,
): number {
  const tracker = openTracker<true>(SETTINGS)
  const byFrame = Map.groupBy(faces, ({ frame }) => frame)
  let count = 0
  for (let visit = 0; visit < VISITS; visit++) {
    const start = visit * ((frames * 1_000) / SETTINGS.fps + BETWEEN_MS)
    for (let frame = 0; frame < frames; frame++) {
      const time = start + (frame * 1_000) / SETTINGS.fps
      count += visitsIn(tracker.due(time))
      tracker.see(byFrame.get(frame) ?? [], time, face => isShown(face as FrameFace) || undefined)
    }
  }
  return count + visitsIn(tracker.end())
}

const visitsIn = (tracks: readonly { isUpdate: boolean }[]): number =>
  tracks.filter(({ isUpdate }) => !isUpdate).length

async function framesOf(clip: string): Promise<Raster[]> {
  const frames: Raster[] = []
  const { signal } = new AbortController()
  const input = { options: ['-i', clip] }
  await readFrames({ input, fps: SETTINGS.fps, onFrame: frame => frames.push(frame), signal })
  return frames
}
