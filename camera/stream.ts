/** Keeps the stream of one camera open: opens it again, with a growing pause, whenever it ends. */
import { environment } from '../contract/environment.ts'
import type { StreamError } from '../contract/model/camera.ts'
import type { Log } from '../core/log.ts'
import type { Raster } from '../wasm/imaging/image.ts'
import { backOffMs, pause } from './frames/back-off.ts'
import { type FrameOptions, readFrames } from './frames/ffmpeg.ts'
import { SourceRefused, type SourceRules, sourceOf } from './frames/source.ts'
import type { Recorder } from './moments/recorder.ts'
import type { Turn } from './tilt.ts'

export interface StreamSettings extends SourceRules {
  fps: number
  rotate?: Turn
  /** Name or path of ffmpeg. */
  program?: string
}

/** A stream that lasted this long in milliseconds was sound: the next pause is the shortest again. */
const SOUND_MS = 30_000

/** How long a URL waits that the watcher does not open, in milliseconds. A file may appear. */
const REFUSED_MS = 60_000

interface StreamEvents {
  onFrame: (frame: Raster) => void
  /** The stream ended, or its URL is not opened. */
  onLost: (reason: StreamError) => void
  /** Takes the stream itself. Absent: nothing is recorded. */
  recorder?: Recorder | undefined
  log: Log
}

/** Reads a camera until the signal aborts. Resolves when its process has ended. Log lines never contain the URL. */
export async function keepStream(
  url: string,
  settings: StreamSettings,
  { onFrame, onLost, recorder, log }: StreamEvents,
  signal: AbortSignal,
): Promise<void> {
  let isRecorded = true
  for (let failures = 0; !signal.aborted; ) {
    const input = await sourceOf(url, settings).catch((error: unknown) => {
      log('camera refused', {
        reason: error instanceof SourceRefused ? error.message : 'no file',
      })
      return undefined
    })
    if (!input) {
      onLost('refused')
      await pause(REFUSED_MS, signal)
      continue
    }
    const start = environment.monotonic()
    let frames = 0
    const first = (frame: Raster) => {
      if (frames++ === 0) log('camera open', { width: frame.width, height: frame.height })
      onFrame(frame)
    }
    const onVideo: FrameOptions['onVideo'] = isRecorded ? recorder?.run() : undefined
    const reason = await readFrames({ ...settings, input, onFrame: first, onVideo, signal })
    recorder?.end()
    if (reason === 'stopped') return
    log('camera lost', { reason, frames })
    onLost(reason)
    // MP4 cannot hold every video: a camera then goes on without clips.
    isRecorded = onVideo === undefined || frames > 0 || reason !== 'no video'
    if (frames > 0 && environment.monotonic() - start > SOUND_MS) failures = 0
    // A camera that changed the size of its pictures is there.
    const isBack = reason === 'resized' || (onVideo !== undefined && !isRecorded)
    await pause(isBack ? 0 : backOffMs(failures++, environment.random()), signal)
  }
}
