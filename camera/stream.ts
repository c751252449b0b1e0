/** Keeps the stream of one camera open: opens it again, with a growing pause, whenever it ends. */
import { environment } from '../contract/environment.ts'
import type { StreamError } from '../contract/model/camera.ts'
import type { Log } from '../core/log.ts'
import type { Recorder } from './footage/recorder.ts'
import { backOffMs, pause } from './frames/back-off.ts'
import { type FrameOptions, readFrames } from './frames/ffmpeg.ts'
import { WRONG_CLOCK_DRIFT } from './frames/frame-clock.ts'
import { SourceRefused, type SourceRules, sourceOf } from './frames/source.ts'
import type { Turn } from './tilt.ts'

export interface StreamSettings extends SourceRules {
  fps: number
  rotate?: Turn
  /** Name or path of ffmpeg. */
  program?: string
}

/** A stream that lasted this long in milliseconds was sound: the next pause is the shortest again. */
const SOUND_STREAM_MS = 30_000

/** How long a reader that was behind decodes key frames alone, in milliseconds: at first, and at most. */
const KEY_FRAMES_MS = 30_000
const LONGEST_KEY_FRAMES_MS = 600_000

/** Greatest distance of key frames, in milliseconds. Cameras that save bandwidth send one every 20 seconds. */
const KEY_FRAME_GAP_MS = 60_000

/** A stream that was in time for longer than this, in milliseconds, is late by at most the share WRONG_CLOCK_DRIFT. */
const WRONG_CLOCK_MS = 45_000

/** How long a URL waits that the watcher does not open, in milliseconds. A file may appear. */
const REFUSED_URL_PAUSE_MS = 60_000

interface StreamEvents {
  onFrame: FrameOptions['onFrame']
  spare?: FrameOptions['spare']
  /** The stream ended, or its URL is not opened for this reason. */
  onLost: (reason: StreamError, refusal?: string) => void
  /** Takes the stream itself. Absent: nothing is recorded. */
  recorder?: Recorder
  log: Log
}

/** Reads a camera until the signal aborts. Resolves when its process has ended. Log lines never contain the URL. */
export async function keepStream(
  url: string,
  settings: StreamSettings,
  { onFrame, spare, onLost, recorder, log }: StreamEvents,
  signal: AbortSignal,
): Promise<void> {
  let isRecorded = true
  const pace = openPace()
  for (let failures = 0; !signal.aborted; ) {
    let refusal = ''
    const input = await sourceOf(url, settings).catch((error: unknown) => {
      refusal = error instanceof SourceRefused ? error.message : 'The folder of --files cannot be read.'
    })
    if (!input) {
      log('camera refused', { reason: refusal })
      onLost('refused', refusal)
      await pause(REFUSED_URL_PAUSE_MS, signal)
      continue
    }
    const start = environment.monotonic()
    let frames = 0
    const first: typeof onFrame = (frame, time) => {
      if (frames++ === 0) log('camera open', { width: frame.width, height: frame.height })
      onFrame(frame, time)
    }
    const onVideo: FrameOptions['onVideo'] = isRecorded ? recorder?.run() : undefined
    const end = await readFrames({
      ...settings,
      ...pace.options(),
      input,
      onFrame: first,
      spare,
      onVideo,
      signal: pace.signal(signal),
    })
    const reason = end === 'killed' ? 'ended' : end
    recorder?.end()
    if (signal.aborted) return
    const lasted = environment.monotonic() - start
    pace.adapt(reason, lasted)
    if (reason === 'stopped' || reason === 'untimed') continue
    log('camera lost', { reason, frames })
    onLost(reason)
    // MP4 cannot hold every video: a camera then goes on without clips.
    isRecorded = onVideo === undefined || frames > 0 || reason !== 'no video'
    if (frames > 0 && lasted > SOUND_STREAM_MS) failures = 0
    // A camera that changed the size of its pictures is there, and one whose pictures are late.
    const isBack = reason === 'resized' || reason === 'behind' || (onVideo !== undefined && !isRecorded)
    await pause(isBack ? 0 : backOffMs(failures++), signal)
  }
}

/** How a stream is read: which of its pictures, and by which times. */
export function openPace() {
  /** Motion JPEG over HTTP has no times. */
  let isUntimed = false
  /** The clock of the camera may be wrong: its frames were late once, after a long time. */
  let isClockWrong = false
  /** Until when key frames alone are decoded, by `environment.monotonic()`. */
  let keyFramesUntil = 0
  let keyFramesMs = 0
  const left = (until: number) => Math.ceil(Math.max(0, until - environment.monotonic()))
  return {
    options(): Partial<FrameOptions> {
      const isKeyFramesOnly = left(keyFramesUntil) > 0
      return {
        isUntimed,
        isKeyFramesOnly,
        drift: isClockWrong ? WRONG_CLOCK_DRIFT : undefined,
        ...(isKeyFramesOnly && { silentMs: KEY_FRAME_GAP_MS }),
      }
    },
    /** Also aborts when all pictures are to be read again. */
    signal(stop: AbortSignal): AbortSignal {
      const ms = left(keyFramesUntil)
      return ms > 0 ? AbortSignal.any([stop, environment.deadline(ms)]) : stop
    },
    /** Takes why the stream ended, after how many milliseconds. */
    adapt(reason: Awaited<ReturnType<typeof readFrames>>, lasted: number) {
      keyFramesUntil = 0
      isUntimed ||= reason === 'untimed'
      if (reason !== 'behind') return
      if (!isClockWrong && lasted > WRONG_CLOCK_MS) {
        isClockWrong = true
        return
      }
      if (lasted > LONGEST_KEY_FRAMES_MS) keyFramesMs = 0
      keyFramesMs = Math.min(Math.max(KEY_FRAMES_MS, 2 * keyFramesMs), LONGEST_KEY_FRAMES_MS)
      keyFramesUntil = environment.monotonic() + keyFramesMs
    },
  }
}
