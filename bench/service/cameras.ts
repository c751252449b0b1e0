/** Measures `mien watch`: CPU time of one and of several cameras, events a visit, and delays. */
import { loadavg } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { openAnalyzer } from '#camera/analysis/analyzer.ts'
import { ffmpeg, hasFfmpeg, movingClip } from '#test/support/photos/clips.ts'
import { benchmark, exists, fromCaller, need } from '../benchmark.ts'
import { frames } from '../lib/cameras/frames.ts'
import {
  addCameras,
  costOfCamera,
  passing,
  startWatcher,
  until,
  writePassing,
} from '../lib/cameras/watching.ts'
import { type Rig, type Served, withRig } from '../rig.ts'
import { fixed, mean } from '../statistics.ts'

const SETTINGS = {
  fps: 5,
  leastSide: 50,
  leastQuality: 0.2,
  absenceMs: 5_000,
  longestMs: 60_000,
  early: false,
}

export default benchmark({
  description: '`mien watch`: events a visit, CPU time, delays',
  options: {
    /** Seconds of each scene. */
    seconds: 20,
    /** Minutes in which people pass the cameras; 0 leaves them out. */
    minutes: 3,
    /** Cameras that people pass. */
    cameras: 4,
    /** Busy processes beside them. */
    busy: 0,
    /** Folder of folders of photos of people, whose frames are posted; empty to leave them out. */
    images: '../shared/data/lfw-dev',
  },
  async run({ seconds, minutes, cameras, busy, images }, rig) {
    need(hasFfmpeg, 'ffmpeg')
    const analyzer = await openAnalyzer(1)
    rig.defer(() => analyzer.close())
    const cpu = []
    for (const [scene, file] of Object.entries(writeScenes(await rig.folder()))) {
      const settings = { ...SETTINGS, files: dirname(file) }
      cpu.push({ scene, ...(await costOfCamera(analyzer, basename(file), settings, seconds)) })
    }
    await analyzer.close()
    const service = await rig.service()
    return {
      cpu,
      ...(minutes > 0 && {
        passing: await withRig(own => passing(service, { cameras, periods: minutes, busy }, own)),
      }),
      ...(images && {
        frames: (await exists(fromCaller(images)))
          ? await withRig(async own => frames(await own.service(), fromCaller(images), own))
          : `skipped: it needs ${images}`,
      }),
      megabytesOfFootage: await withRig(own => footageSizes(service, own)),
      loadAverage: fixed(loadavg()[2]!),
    }
  },
})

/** Scenes of 1080p. */
function writeScenes(folder: string): Record<string, string> {
  const [three, still] = ['three', 'still'].map(name => join(folder, `${name}.ts`))
  movingClip(three!, { seconds: 10, size: '1920x1080', fps: 25 })
  ffmpeg('-f', 'lavfi', '-i', 'smptebars=s=1920x1080:r=25:d=10', '-q:v', '3', still!)
  return {
    'three people, the whole picture moves': three!,
    'nothing moves': still!,
  }
}

/** As a camera of 720p sends it: H.264 of constantly 2 Mbit/s, with a key frame every 2 seconds at 10 frames a second. */
const CODEC = ['-c:v', 'libx264', '-preset', 'veryfast', '-b:v', '2M', '-minrate', '2M', '-maxrate', '2M']
const RATE = ['-bufsize', '2M', '-x264-params', 'nal-hrd=cbr', '-g', '20']

/** Mean megabytes of a snapshot and of a clip of people who pass. */
async function footageSizes(service: Served, rig: Rig) {
  const folder = await rig.folder()
  await writePassing(folder, 'passing.ts')
  ffmpeg('-i', join(folder, 'passing.ts'), ...CODEC, ...RATE, join(folder, 'door.mp4'))
  await addCameras(service, 1, { url: 'door.mp4', options: { snapshot: true, clip: true } }, rig)
  const megabytes: Record<string, number[]> = { snapshot: [], clip: [] }
  const watcher = startWatcher(service, ['--files', folder], ({ event, kind, bytes }) => {
    if (event === 'footage sent') megabytes[String(kind)]!.push(Number(bytes) / 1e6)
  })
  rig.defer(() => watcher.stop('SIGKILL'))
  await until(() => megabytes.clip!.length >= 2, 300_000, 'No clips were sent')
  await watcher.stop('SIGTERM')
  return { snapshot: fixed(mean(megabytes.snapshot!), 2), clip: fixed(mean(megabytes.clip!), 2) }
}
