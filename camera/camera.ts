/** Watches one camera: frames, motion gate, analysis, tracks, events. */
import type { Camera } from '../clients/typescript/src/index.ts'
import type { Region } from '../core/contract/model/camera.ts'
import { type Log, traceOf } from '../core/log.ts'
import type { Raster } from '../wasm/imaging/image.ts'
import type { Analyzer } from './analysis/analyzer.ts'
import { newest } from './frames/newest.ts'
import { isDark, motionGate } from './motion/gate.ts'
import { greyGrid } from './motion/grid.ts'
import { jpegOf, type VisitEvent, visitEvent } from './posting/visit-event.ts'
import { cropped, isInside, onPicture, partOf } from './region.ts'
import { keepStream, type StreamSettings } from './stream.ts'
import type { SeenFace } from './tracking/seen-face.ts'
import { openTracker, type Track, type TrackerSettings } from './tracking/tracker.ts'

/** The fields of a camera that the watcher uses. */
export interface WatchedCamera {
  id: string
  url: string
  rot?: Region
  roi?: Region
}

export interface CameraSettings extends StreamSettings, TrackerSettings {
  /** Least side of a face in pixels. */
  leastSide: number
  /** Least quality of a reported picture, 0..1. */
  leastQuality: number
}

export interface CameraParts {
  analyzer: Analyzer
  onVisit: (event: VisitEvent) => void
  log: Log
}

export interface CameraWatch {
  readonly camera: WatchedCamera
  /** Takes new regions. The URL stays. */
  change(camera: WatchedCamera): void
  /** Ends the stream and reports the visits. Resolves when ffmpeg has ended. */
  stop(): Promise<void>
}

/** How often the watcher looks for visits that ended, in milliseconds. */
const DUE_EVERY_MS = 500

/** How often a frame is searched for small and turned faces, in milliseconds. It takes ten times as long. */
const CLOSER_EVERY_MS = 1_000

interface Frame {
  picture: Raster
  grid: Float32Array
  /** Time of arrival, milliseconds since 1970. */
  time: number
}

type Photo = Promise<Uint8Array<ArrayBuffer>>

export function watchCamera(
  first: WatchedCamera,
  settings: CameraSettings,
  { analyzer, onVisit, log }: CameraParts,
): CameraWatch {
  let camera = first
  let wasDark = false
  let closerAt = 0
  const { id } = camera
  const stopping = new AbortController()
  const frames = newest<Frame>()
  const gate = motionGate()
  const tracker = openTracker<Photo>(settings)
  const reports = new Set<Promise<void>>()

  const report = (tracks: readonly Track<Photo>[]) => {
    for (const track of tracks) {
      const done = visitEvent(id, track)
        .then(onVisit, error => log('visit lost', { camera: id, track: track.id, ...traceOf(error) }))
        .finally(() => reports.delete(done))
      reports.add(done)
    }
  }

  const onFrame = (picture: Raster) => {
    const grid = greyGrid(picture)
    const dark = isDark(grid)
    if (dark !== wasDark) log(dark ? 'camera dark' : 'camera bright', { camera: id })
    wasDark = dark
    frames.put({ picture, grid, time: Date.now() })
  }

  const analyse = async () => {
    while (await frames.wait()) {
      const still = frames.take()!
      if (!gate.isChanged(still.grid, still.time)) {
        tracker.stillThere(still.time)
        continue
      }
      // While the frame waits for a thread, a newer one may replace it.
      let frame = still
      let { rot, roi } = camera
      const faces = await analyzer.analyze(() => {
        frame = frames.take() ?? still
        ;({ rot, roi } = camera)
        gate.analysed(frame.grid, frame.time)
        const part = partOf(frame.picture, rot)
        if (!part) return undefined
        const wanted = frame.time - closerAt >= CLOSER_EVERY_MS ? 'all' : 'clear'
        if (wanted === 'all') closerAt = frame.time
        return { frame: cropped(frame.picture, part), leastSide: settings.leastSide, wanted }
      })
      see(frame, faces ?? [], rot, roi)
    }
  }

  const see = ({ picture, time }: Frame, faces: readonly SeenFace[], rot?: Region, roi?: Region) => {
    const part = partOf(picture, rot)
    if (!part) return
    const found = faces.map(face => ({ ...face, box: onPicture(face.box, part) }))
    let photo: Photo | undefined
    tracker.see(found, time, ({ box, quality }) => {
      if (quality < settings.leastQuality || !isInside(box, roi)) return undefined
      photo ??= photoOf(picture)
      return photo
    })
  }

  /** A failed analysis skips its frame. */
  const run = async () => {
    while (!stopping.signal.aborted)
      await analyse().catch(error => log('frame failed', { camera: id, ...traceOf(error) }))
  }

  const due = setInterval(() => report(tracker.due(Date.now())), DUE_EVERY_MS)
  const streaming = keepStream(camera, settings, onFrame, log, stopping.signal)
  const running = run()

  return {
    get camera() {
      return camera
    },
    change(changed) {
      camera = { ...changed, url: camera.url }
      gate.reset()
    },
    async stop() {
      stopping.abort()
      frames.end()
      clearInterval(due)
      await Promise.all([streaming, running])
      report(tracker.end())
      await Promise.all(reports)
    },
  }
}

/** The encoded frame. A failure reaches the event that needs the photo. */
function photoOf(picture: Raster): Photo {
  const photo = jpegOf(picture)
  photo.catch(() => {})
  return photo
}

/** The camera if it is to be watched: enabled, with a URL, and assigned to this detector. */
export function watchedCamera(
  { id, url, rot, roi, enabled, detector }: Camera,
  name: string | undefined,
): WatchedCamera | undefined {
  if (!enabled || !url || (detector || undefined) !== name) return undefined
  return { id, url, ...(rot && { rot: rot as Region }), ...(roi && { roi: roi as Region }) }
}
