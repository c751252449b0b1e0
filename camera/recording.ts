/** Reads a recording once, by its own times and as fast as the machine can, and posts an event for each visit. */
import { execFile } from 'node:child_process'
import { createHash, hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Camera, MienClient } from '../clients/typescript/src/index.ts'
import { environment } from '../contract/environment.ts'
import { hyphenated, type RecordingReport } from '../contract/model/camera.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import { type Log, traceOf } from '../core/log.ts'
import type { Raster } from '../wasm/imaging/orientation.ts'
import { openAnalyzer } from './analysis/analyzer.ts'
import { frameLoop } from './analysis/frame-loop.ts'
import { type CameraSettings, settingsOf } from './camera.ts'
import { openRecorder } from './footage/recorder.ts'
import { openSender } from './footage/sender.ts'
import { readFrames } from './frames/ffmpeg.ts'
import { fileClock } from './frames/frame-clock.ts'
import { fileOptions, type Source } from './frames/source.ts'
import { LAST_POST_MS, openOutbox } from './outbox.ts'
import { openTracker, type ReportedTrack } from './tracker.ts'
import { type FrameShot, type VisitEvent, visitEvent } from './visit-event.ts'

interface RecordingSettings extends CameraSettings {
  /** The file or its path, and the time of its first picture in Unix milliseconds. */
  file: string | RecordingFile
  start: number
  /** The camera, or its id or name. A new name creates one. */
  camera: string | Camera
  /** Worker threads of the analysis. */
  threads: number
  /** Where to go on: a millisecond of the file, and the visits before. Absent: the service knows. */
  resume?: { from: number; before: number; onProgress(progress: RecordingProgress): void }
}

export type RecordingProgress = Omit<RecordingReport, 'start' | 'size'>

/** The file is none that ffmpeg can read. */
export class NoVideo extends Error {
  override readonly name = 'NoVideo'
}

/** A file that ffmpeg reads. */
export interface RecordingFile {
  /** In messages. */
  name: string
  /** Bytes. */
  size: number
  /** Hash of its first HEAD_BYTES. */
  head(): Promise<string>
  input: Source
}

/** Longest time in milliseconds that a later run reads again. Then all visits end, also where people are always in the picture. */
const LONGEST_AGAIN_MS = 3_600_000

/** Ends of ffmpeg after which it is started again. A process may be killed for want of memory. */
const READ_ON = ['resized', 'killed']

/** Milliseconds of the file after which the search for faces is reset. A later run can begin there if no person was in the picture. */
const CHAPTER_MS = 60_000

/** How much earlier a later run reads, in milliseconds: in some formats, ffmpeg begins only at the next key frame. */
const SEEK_MS = 10_000

/** Milliseconds between two lines about the progress. */
const PROGRESS_EVERY_MS = 5_000

/**
 * Longest time of ffmpeg to examine a file, in milliseconds. An uploaded file comes in several requests, which end after two minutes
 * of silence. Frames have no limit: they wait for the analysis.
 */
const PROBE_MS = 300_000
const NO_LIMIT_MS = 2 ** 31 - 1

/** Bytes at the start of a file that tell it apart from others of its size. */
export const HEAD_BYTES = 2 ** 20

/**
 * Resolves with true at the end of the file, and with false when the signal aborts. A later run with the same settings goes on, and
 * posts no visit twice. Rejects for a file that is no video, and when reading fails.
 */
export async function watchRecording(
  client: MienClient,
  given: RecordingSettings,
  log: Log,
  signal: AbortSignal,
): Promise<boolean> {
  const { start, threads, program, resume } = given
  const file = typeof given.file === 'string' ? await fileAt(given.file) : given.file
  const lengthMs = await lengthOf(file, program)
  const {
    id: camera,
    rot,
    roi,
    options,
  } = typeof given.camera === 'string' ? await cameraNamed(client, given.camera) : given.camera
  const settings = settingsOf(given, options)
  const id = digestOf(camera, start, file.size, await file.head())
  const earlier = resume
    ? { tracks: new Set<string>(), from: resume.from }
    : await earlierVisits(client, { camera, id, start, lengthMs })
  const analyzer = await openAnalyzer(threads)
  const sender = openSender(client, log, program)
  const outbox = openOutbox(client, log, { onEnd: sender.posted, onReplace: sender.replaced })
  const tracker = openTracker<FrameShot>({ ...settings, longestMs: Number.POSITIVE_INFINITY })
  const stopped = new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
  let readUntil = earlier.from - 1
  let quietAt = earlier.from
  let visits = resume?.before ?? 0
  /** The last moment without people before which all visits are posted, and their number. */
  let posted = { from: earlier.from, before: visits }
  const recorder = settings.clip ? openRecorder(() => readUntil) : undefined
  const regions = { ...(rot && { rot }), ...(roi && { roi }) }
  const frames = frameLoop({ settings, analyzer, tracker, log, recorder, regions: () => regions })

  const post = async (track: ReportedTrack<FrameShot>, from: number) => {
    const { first, last, best } = track
    const name = digestOf(id, first, last, JSON.stringify(best!.face.box))
    if (earlier.tracks.has(name)) return
    const event = await visitEvent(camera, settings, { ...track, id: name }, start)
    sender.add(event)
    outbox.add({ ...event, recording: { id, from } })
  }
  let reporting = Promise.resolve()
  /** Posts visits after those before. Resolves when all are posted. */
  const report = (tracks: readonly ReportedTrack<FrameShot>[]): Promise<unknown> => {
    const from = quietAt
    visits += tracks.length
    for (const track of tracks)
      reporting = reporting
        .then(() => post(track, from))
        .catch(error => log('visit lost', { camera, ...traceOf(error) }))
    return Promise.race([reporting.then(outbox.idle).then(sender.idle), stopped])
  }

  const follow = async (frame: Raster, time: number) => {
    const chapter = time - (time % CHAPTER_MS)
    const isNewChapter = chapter > readUntil
    if (isNewChapter) frames.reset()
    readUntil = time
    await frames.follow(frame, time, () => {
      if (!isNewChapter || chapter - quietAt < LONGEST_AGAIN_MS) return
      void report(tracker.end())
      frames.forget()
      quietAt = chapter
    })
    const reported = report(tracker.due(time))
    if (isNewChapter && frames.isEmpty()) quietAt = chapter
    const quiet = { from: quietAt, before: visits }
    await reported
    if (isNewChapter && quiet.from === chapter && !signal.aborted) posted = quiet
  }
  /** Frames in analysis, one for each thread, in their order. */
  let pending: Promise<void>[] = []
  /** Where the wanted frames begin. */
  let begin = earlier.from
  const onFrame = (frame: Raster, time: number) => {
    if (time < begin) return
    pending = [...pending.slice(-threads), follow(frame, time)]
    return pending.at(-1 - threads)
  }
  const read = (from: number) =>
    readFrames({
      input: inputAt(file, from, given.hwaccel),
      clock: fileClock(from),
      from,
      fps: settings.fps,
      rotate: settings.rotate === 'auto' ? 0 : (settings.rotate ?? 0),
      firstMs: NO_LIMIT_MS,
      silentMs: NO_LIMIT_MS,
      ...omitUndefined({ program }),
      onFrame,
      onVideo: recorder?.run(),
      signal,
    })

  const progress = () => ({ camera, read: seconds(readUntil), of: seconds(lengthMs), visits })
  const tell = (event: string, facts = {}) => {
    log(event, { ...progress(), ...facts })
    const [read, of] = [Math.max(0, readUntil), lengthMs].map(ms => ms && ms / 1_000)
    resume?.onProgress({ read: read!, ...omitUndefined({ of }), visits, ...posted })
  }
  tell('recording open')
  const telling = environment.interval(() => tell('recording'), PROGRESS_EVERY_MS)
  try {
    let reason = await read(Math.max(0, begin - SEEK_MS))
    while (READ_ON.includes(reason) && readUntil >= begin) {
      log('recording reopened', { ...progress(), reason })
      begin = readUntil + 1
      // The frames before another size would end it again.
      reason = await read(reason === 'resized' ? begin : Math.max(0, begin - SEEK_MS))
    }
    await Promise.all(pending)
    // The next run reads the visits that have not ended.
    if (signal.aborted) return false
    recorder?.end()
    await report(tracker.end())
    // Damaged files end with an error of reading.
    if (!['ended', 'no video'].includes(reason)) throw new Error(`${file.name} can't be read on: ${reason}.`)
    tell('recording read', { ...frames.unused(readUntil), turn: frames.tilt.needed() })
    return !signal.aborted
  } finally {
    telling.cancel()
    const lost = await outbox.close(LAST_POST_MS)
    await sender.close(LAST_POST_MS)
    await analyzer.close()
    if (signal.aborted) log('stopped', { ...progress(), lost })
  }
}

const seconds = (ms: number | undefined) => ms && Math.round(ms / 1_000)

/** A UUID that follows from the parts. */
const digestOf = (...parts: readonly (string | number)[]) =>
  hyphenated(hash('sha256', parts.join()).slice(0, 32))

/** A file of this machine. */
const fileAt = async (path: string): Promise<RecordingFile> => ({
  name: path,
  size: (await stat(path)).size,
  async head() {
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(path, { end: HEAD_BYTES - 1 })) hash.update(chunk)
    return hash.digest('hex')
  },
  input: { options: fileOptions(path) },
})

/** How ffmpeg reads the file from a time on. */
const inputAt = ({ input }: RecordingFile, fromMs: number, hwaccel = 'none'): Source => ({
  ...input,
  options: ['-hwaccel', hwaccel, '-ss', String(fromMs / 1_000), ...input.options],
})

const DURATION = /Duration: (\d+):(\d\d):([\d.]+)/

/** Length in milliseconds. Undefined if the file does not say it. Rejects for a file that is no video. */
async function lengthOf(file: RecordingFile, program = 'ffmpeg'): Promise<number | undefined> {
  const { options, env } = inputAt(file, 0)
  const given = { timeout: PROBE_MS, env: { ...process.env, ...env } }
  // ffmpeg fails without an output.
  const messages = await new Promise<string>(resolve =>
    execFile(program, ['-hide_banner', ...options], given, (_, __, text) => resolve(text)),
  )
  if (/not on whitelist/i.test(messages))
    throw new NoVideo(
      `${file.name} is a playlist, or another format that may name other files. Convert it to MP4.`,
    )
  if (!/Stream #0.*: Video:/.test(messages))
    throw new NoVideo(`${file.name} is no video that ffmpeg can read.`)
  const [, h, m, s] = DURATION.exec(messages) ?? []
  return s === undefined ? undefined : (Number(h) * 3_600 + Number(m) * 60 + Number(s)) * 1_000
}

async function cameraNamed(client: MienClient, name: string): Promise<Camera> {
  const cameras = await client.cameras.list().toArray()
  const named = cameras.filter(({ id, meta }) => id === name || meta === name)
  if (named.length > 1)
    throw new Error(`${named.length} cameras have the name "${name}": --camera also takes an id.`)
  return named[0] ?? client.cameras.create({ meta: name })
}

interface Earlier {
  camera: string
  id: string
  start: number
  lengthMs: number | undefined
}

/** The visits of a recording that earlier runs have posted, and where this run may begin, in milliseconds. */
async function earlierVisits(client: MienClient, { camera, id, start, lengthMs }: Earlier) {
  const tracks = new Set<string>()
  let from = 0
  const period = {
    start: new Date(start).toISOString(),
    ...(lengthMs && { end: new Date(start + lengthMs + 1_000).toISOString() }),
  }
  for await (const { detector_info } of client.faces.list({ cam_id: [camera], ...period })) {
    const { track, recording } = (detector_info ?? {}) as Partial<Pick<VisitEvent, 'track' | 'recording'>>
    if (track === undefined || recording?.id !== id) continue
    tracks.add(track)
    from = Math.max(from, recording.from)
  }
  return { tracks, from }
}
