/** `mien watch` beside a service: its events and its cores. Linux only. */
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import type { Analyzer } from '#camera/analysis/analyzer.ts'
import { type CameraSettings, watchCamera } from '#camera/camera.ts'
import { MienClient } from '#clients/typescript/src/index.ts'
import { SAMPLES } from '#test/support/client.ts'
import { ffmpeg } from '#test/support/photos/clips.ts'
import { cpuSecondsOf, descendantOf, descendantsOf, freePort, memoryOf } from '#test/support/processes.ts'
import { MIEN, type Rig, type Served } from '../../rig.ts'
import { fixed, mean, median, minimum, quantile, sum } from '../../statistics.ts'

interface Line {
  event: string
  [fact: string]: unknown
}

interface LoggedCommand {
  pid: number
  /** Sends the signal. Resolves when the process has ended and its lines are read. */
  stop(signal: NodeJS.Signals): Promise<void>
}

/** Starts `mien watch`, which logs a line of JSON for each event. */
export function startWatcher(
  { edge, token }: Served,
  args: readonly string[],
  onLine: (line: Line) => void,
): LoggedCommand {
  const child = spawn(process.execPath, [MIEN, 'watch', ...args], {
    env: { ...process.env, MIEN_URL: edge, MIEN_TOKEN: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()))
  createInterface({ input: child.stdout }).on('line', line => onLine(JSON.parse(line)))
  return {
    pid: child.pid!,
    stop(signal) {
      child.kill(signal)
      return closed
    },
  }
}

/** Resolves when it is true. Rejects after so many milliseconds. */
export async function until(isTrue: () => boolean, patienceMs: number, what: string): Promise<void> {
  for (const end = Date.now() + patienceMs; !isTrue(); await sleep(100))
    if (Date.now() > end) throw new Error(`${what} within ${patienceMs / 1000} s.`)
}

/** Adds cameras, which go with the rig. Resolves with their ids. */
export async function addCameras(
  { send }: Served,
  count: number,
  camera: object,
  rig: Rig,
): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push((await send('POST', '/v1/camera', camera)).body.id)
  rig.defer(() => Promise.all(ids.map(id => send('DELETE', `/v1/camera/${id}`))))
  return ids
}

/** Cores that the processes use for so long, together. */
export async function coresOf(pids: readonly number[], ms: number): Promise<number> {
  const spent = async () => sum(await Promise.all(pids.map(cpuSecondsOf)))
  const [before, start] = [await spent(), performance.now()]
  await sleep(ms)
  return ((await spent()) - before) / ((performance.now() - start) / 1_000)
}

/** Time in which ffmpeg opens the clip. It is not measured. */
const WARM_UP_MS = 3_000

/** Cores of one camera that watches a clip in real time in this process; and the frames a second that were analysed. */
export async function costOfCamera(
  analyzer: Analyzer,
  url: string,
  settings: CameraSettings,
  seconds: number,
) {
  let analysed = 0
  const counting: Analyzer = {
    ...analyzer,
    async analyze(frameOf) {
      const faces = await analyzer.analyze(frameOf)
      analysed++
      return faces
    },
  }
  const parts = { analyzer: counting, onVisit: () => {}, log: () => {} }
  const watch = watchCamera({ id: 'clip', url }, settings, parts)
  await sleep(WARM_UP_MS)
  const [child] = await descendantsOf(process.pid, 'image2pipe')
  if (child === undefined) throw new Error('ffmpeg does not run.')
  const first = analysed
  const [watcher, ffmpeg] = await Promise.all(
    [process.pid, child].map(pid => coresOf([pid], 1_000 * seconds)),
  )
  const perSecond = (analysed - first) / seconds
  await watch.stop()
  // A busy machine drops frames, a still picture needs few.
  return { watcher: fixed(watcher!, 2), ffmpeg: fixed(ffmpeg!, 2), analysed: fixed(perSecond) }
}

/** Two people pass in each period. They come this long after its beginning. Milliseconds. */
const PERIOD_MS = 60_000
const VISITS_OF_PERIOD = 2

/** How long ffmpeg and the first frames may take. */
const OPENING_MS = 60_000

const CODEC = ['-c:v', 'mpeg2video', '-q:v', '3', '-pix_fmt', 'yuv420p']

/** Left upper corners of the parts of sample1.jpg with one person each. */
const ONE_PERSON = [
  [1_253, 90],
  [193, 250],
] as const

/** Seconds of a period at which a person comes. */
const COMES_AT = [10, 40]

/** A white mark at the lower edge moves to the right while a person is there: by so many pixels a second, from this column on. */
const MARK = { perSecond: 240, from: 20, side: 16 }

/** Writes a clip of a period, 1280 x 720: one person for 5 seconds from second 10, another one from second 40. */
export async function writePassing(folder: string, name: string): Promise<void> {
  const person = (path: string, [x, y]: readonly [number, number]) => {
    const { perSecond, from, side } = MARK
    const bar = `drawbox=y=ih-${side}:h=${side}:color=black:t=fill[bar]`
    const mark = `${bar};color=white:s=${side}x${side}:r=10[mark];[bar][mark]overlay=x='${from}+${perSecond}*t':y=H-h:shortest=1`
    const move = `crop=640:360:'10+10*sin(3*t)':'10+10*cos(3*t)'`
    ffmpeg(
      ...['-loop', '1', '-i', join(SAMPLES, 'sample1.jpg'), '-t', '5'],
      ...['-filter_complex', `fps=10,crop=660:380:${x}:${y},${move},scale=1280:720,setsar=1,${mark}`],
      ...[...CODEC, path],
    )
  }
  const testPattern = (path: string, seconds: number) =>
    ffmpeg('-f', 'lavfi', '-i', `smptebars=s=1280x720:r=10:d=${seconds}`, ...CODEC, path)
  const files: Buffer[] = []
  for (const [i, scene] of [10, ONE_PERSON[0], 25, ONE_PERSON[1], 15].entries()) {
    const path = join(folder, `scene-${i}.ts`)
    if (typeof scene === 'number') testPattern(path, scene)
    else person(path, scene)
    files.push(await readFile(path))
  }
  // Joined scenes get new time stamps.
  const scenes = join(folder, 'scenes')
  await writeFile(scenes, Buffer.concat(files))
  ffmpeg('-i', scenes, ...CODEC, join(folder, name))
}

/**
 * Memory is sampled from here on, or from a quarter of a shorter measurement. The medians of the first and the last quarter are compared:
 * single samples differ by the frames that are in analysis.
 */
const SETTLED_MS = 300_000
const MEMORY_EVERY_MS = 5_000

/** Frames a second that the watcher takes of a camera by default. */
const FRAMES = 5

interface Passing {
  cameras: number
  /** Periods of the clip. */
  periods: number
  /** Processes that take all the time they get. */
  busy: number
}

/**
 * Measures cameras that people pass. Results: CPU cores of `mien watch` with its ffmpeg, and of the service; share of dropped
 * frames; events per visit, and their delays after the first sight; longest time until the watcher reported a late camera; greatest
 * difference between the times of an event and of its frame; resident memory. Times are in seconds.
 */
export async function passing(service: Served, { cameras, periods, busy }: Passing, rig: Rig) {
  const folder = await rig.folder()
  await writePassing(folder, 'passing.ts')
  const ids = await addCameras(service, cameras, { url: 'passing.ts', options: { snapshot: true } }, rig)
  /** When the clip of each camera began. */
  const opened = new Map(ids.map(id => [id, [] as number[]]))
  const postedAt = new Map<number, number>()
  let updates = 0
  const port = await freePort()
  const lateSince = new Map<string, number>()
  const toldAfter: number[] = []
  const args = ['--files', folder, '--metrics', String(port)]
  const watcher = startWatcher(service, args, ({ event, time, camera, face, reason }) => {
    if (event === 'camera open') opened.get(String(camera))!.push(Date.parse(String(time)))
    if (event === 'visit updated') updates++
    const since = lateSince.get(String(camera))
    if (since && (event === 'camera slow' || reason === 'behind')) {
      toldAfter.push((Date.now() - since) / 1_000)
      lateSince.set(String(camera), 0)
    }
    if (event === 'visit posted') postedAt.set(Number(face), Date.now())
  })
  rig.defer(() => watcher.stop('SIGKILL'))
  await until(
    () => [...opened.values()].every(times => times.length > 0),
    OPENING_MS,
    'The cameras have not opened',
  )
  followLateness(port, lateSince)
  for (let i = 0; i < busy; i++) {
    const child = spawn(process.execPath, ['-e', 'for (;;);'])
    rig.defer(() => child.kill())
  }
  const watching = [watcher.pid, ...(await descendantsOf(watcher.pid, 'image2pipe'))]
  const serving = [service.pid, ...(await descendantsOf(service.pid, ''))]
  const edge = await descendantOf(service.pid, 'workerd serve')
  const parts = { watcher: watcher.pid, core: service.pid, edge }
  const samples: number[][] = []
  const readMemory = async () =>
    samples.push(await Promise.all(Object.values(parts).map(pid => memoryOf(pid, 'VmRSS'))))
  const settlingMs = Math.min(SETTLED_MS, (PERIOD_MS * periods) / 4)
  const sampling = setInterval(readMemory, MEMORY_EVERY_MS)
  rig.defer(() => clearInterval(sampling))
  const [cores, serviceCores] = await Promise.all(
    // A watcher that is too slow opens a stream again, with another ffmpeg.
    [watching, serving].map(pids => coresOf(pids, PERIOD_MS * periods).catch(() => Number.NaN)),
  )
  const states = await Promise.all(ids.map(id => service.send('GET', `/v1/cameras/${id}/state`)))
  clearInterval(sampling)
  const settled = samples.slice(Math.ceil(settlingMs / MEMORY_EVERY_MS))
  const quarter = Math.ceil(settled.length / 4)
  const memory = Object.keys(parts).map((part, i) => {
    const [first, last] = [settled.slice(0, quarter), settled.slice(-quarter)].map(some =>
      median(some.map(sample => sample[i]!)),
    )
    const growth = last! / first! - 1
    return { part, firstMb: fixed(first!, 0), lastMb: fixed(last!, 0), growthPercent: fixed(100 * growth) }
  })
  const dropped = sum(states.map(({ body }) => body.dropped))
  await watcher.stop('SIGTERM')
  const client = new MienClient({ url: service.edge, token: service.token })
  const events: number[] = []
  const delays: number[] = []
  const clockErrors: number[] = []
  for (const id of ids) {
    // A visit belongs to the time in which its person comes.
    const slots = Array<number>(periods * VISITS_OF_PERIOD).fill(0)
    for await (const { id: face, detector_info, timestamp, snapshot } of client.faces.list({
      cam_id: [id],
    })) {
      const firstSeen = Date.parse((detector_info as { first_seen: string }).first_seen)
      const slot = Math.floor((firstSeen - opened.get(id)![0]!) / (PERIOD_MS / VISITS_OF_PERIOD))
      if (slot in slots) slots[slot]!++
      const at = postedAt.get(face)
      if (at !== undefined) delays.push((at - firstSeen) / 1_000)
      const time = Date.parse(`${timestamp}Z`)
      const start = opened.get(id)!.findLast(start => start <= time)
      if (snapshot && start !== undefined)
        clockErrors.push(clockError((time - start) / 1_000, await markedSecond(snapshot)))
    }
    events.push(...slots)
  }
  return {
    cores: fixed(cores!, 2),
    serviceCores: fixed(serviceCores!, 2),
    visits: events.length,
    droppedFrames: fixed(dropped / (FRAMES * (PERIOD_MS / 1_000) * periods * cameras), 3),
    missed: events.filter(count => count === 0).length,
    eventsPerVisit: fixed(mean(events), 2),
    ...(toldAfter.length > 0 && { toldSlowAfter: fixed(quantile(toldAfter, 1)) }),
    updatesPerVisit: fixed(updates / events.length, 2),
    medianDelay: fixed(median(delays)),
    longestDelay: fixed(quantile(delays, 1)),
    greatestClockError: fixed(quantile(clockErrors, 1), 2),
    memory,
  }
}

/** Age in seconds from which a camera's last frame is late, and how often the metrics are read, in milliseconds. */
const LATE_SECONDS = 2
const METRICS_EVERY_MS = 1_000

/** Notes by camera since when it has dropped frames in each second, or been late: Unix milliseconds, 0 once that is told. */
function followLateness(port: number, since: Map<string, number>) {
  let before = new Map<string, number>()
  const read = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const valuesOf = (name: string) => {
      const lines = metrics.matchAll(new RegExp(`^mien_camera_${name}{camera="(.*)"} (.*)$`, 'gm'))
      return new Map([...lines].map(([, camera, value]) => [camera!, Number(value)]))
    }
    const [dropped, ages] = [valuesOf('frames_dropped_total'), valuesOf('frame_age_seconds')]
    for (const [camera, count] of dropped) {
      if (count === (before.get(camera) ?? 0) && !(ages.get(camera)! > LATE_SECONDS)) since.delete(camera)
      else if (!since.has(camera)) since.set(camera, Date.now())
    }
    before = dropped
  }
  const follow = async () => {
    for (;;) {
      await read()
      await sleep(METRICS_EVERY_MS)
    }
  }
  // The reading ends with the watcher.
  follow().catch(() => {})
}

/** The second of a visit that a snapshot shows, by its mark. */
async function markedSecond(link: string) {
  const { perSecond, from, side } = MARK
  const jpeg = await (await fetch(link)).arrayBuffer()
  const { data, info } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true })
  const row = data.subarray((info.height - side / 2) * info.width).subarray(0, info.width)
  const middle = mean([...row.keys()].filter(x => row[x]! > 128))
  return (middle - side / 2 - from) / perSecond
}

/** Difference in seconds of the time of an event, since the start of the clip, and the time of the frame that it shows. */
function clockError(time: number, second: number) {
  const period = PERIOD_MS / 1_000
  return minimum(
    COMES_AT.map(at => {
      const error = (((time - at - second) % period) + period) % period
      return Math.min(error, period - error)
    }),
  )
}
