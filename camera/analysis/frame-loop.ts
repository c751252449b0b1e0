/** Leads the frames of one camera through motion gate and analysis to its tracker. */
import { environment } from '../../contract/environment.ts'
import { CAMERA_LIMITS } from '../../contract/limits/cameras.ts'
import type { Area, Region } from '../../contract/model/camera.ts'
import { type Log, traceOf } from '../../core/log.ts'
import type { Raster } from '../../wasm/imaging/orientation.ts'
import type { Recorder } from '../footage/recorder.ts'
import { COLUMNS, greyGrid, isDarkGrid, motionGate, ROWS } from '../frames/motion-gate.ts'
import { areaOf, cropRaster, isInside, isMasked, onPicture, partOf } from '../region.ts'
import { openStaticFaces } from '../static-faces.ts'
import { openTilt } from '../tilt.ts'
import type { SeenFace, Tracker } from '../tracker.ts'
import { isUsable, openUnusedFaces } from '../unused-faces.ts'
import { type FrameShot, shotOf } from '../visit-event.ts'
import type { Analyzer } from './analyzer.ts'
import type { FrameTask } from './frame.worker.ts'

/** Regions of a camera. They may change between two frames. */
export interface WatchedRegions {
  rot?: Region
  roi?: Region
}

interface FrameLoopParts {
  settings: {
    /** Least side of a face in pixels. */
    leastSide: number
    /** Least quality of a reported picture, 0..1. */
    leastQuality: number
    /** Areas whose faces and movements are ignored. */
    masks?: readonly Area[]
  }
  analyzer: Analyzer
  tracker: Tracker<FrameShot>
  regions: () => WatchedRegions
  /** Absent: no clips. */
  recorder?: Pick<Recorder, 'around'>
  log: Log
}

/**
 * How often a frame is searched for small and turned faces, in milliseconds: while something moves or a person is there, and in an empty
 * picture. It takes five times as long.
 */
const CLOSER_EVERY_MS = 1_000
const CLOSER_EMPTY_MS = 30_000

interface Frame {
  picture: Raster
  grid: Float32Array
  /** When it was current, by `environment.monotonic()`. The clock of the machine may jump. */
  time: number
  /** When it arrived, with the video that clips are cut from. */
  arrival: number
}

export function frameLoop({ settings, analyzer, tracker, regions, recorder, log }: FrameLoopParts) {
  /** The newest frame that waits. An older one is never queued. */
  let waiting: Frame | undefined
  let dropped = 0
  let isEnded = false
  let running: Promise<void> | undefined
  const gate = motionGate()
  let staticFaces = openStaticFaces()
  /** Poor detections that never move. They hide no usable face. */
  let stillPatterns = openStaticFaces()
  const tilt = openTilt()
  const unused = openUnusedFaces(settings)
  const { masks = [] } = settings
  const describe = describer(log)
  let closerAt = Number.NEGATIVE_INFINITY
  /** Time of the last analysed frame that differed from its predecessor. */
  let movedAt = 0
  /** Whether a frame is in analysis. No visit ends before its faces are known, however long that takes. */
  let isAnalysing = false
  /** Time of the last frame whose faces are known. */
  let knownAt = 0
  /** How late the last frame arrived, in milliseconds. */
  let lateMs = 0
  let last: Raster | undefined
  /** A used picture: its memory may be overwritten. */
  let spare: Raster | undefined

  const keep = (picture: Raster) => {
    spare = last
    last = picture
  }

  /** The frames of a recording, in their order. */
  let following = Promise.resolve()

  /**
   * Task of the analysis for a frame. Undefined if the region of tracking is outside the picture. `wasEmpty`: the earlier analysed
   * frames show no person.
   */
  const taskOf = (
    { picture, grid, time }: Frame,
    { rot }: WatchedRegions,
    wasEmpty: boolean,
  ): FrameTask | undefined => {
    if (gate.isChanged(grid)) movedAt = time
    gate.analysed(grid, time)
    const part = partOf(picture, rot)
    if (!part) return undefined
    const isStill = movedAt <= closerAt && wasEmpty
    const wanted = time - closerAt >= (isStill ? CLOSER_EMPTY_MS : CLOSER_EVERY_MS) ? 'all' : 'clear'
    if (wanted === 'all') closerAt = time
    return { frame: cropRaster(picture, part), leastSide: settings.leastSide, wanted }
  }

  const see = (
    { picture, time, arrival }: Frame,
    faces: readonly SeenFace[],
    { rot, roi }: WatchedRegions,
  ) => {
    const part = partOf(picture, rot)!
    const found = faces
      .map(face => ({ ...face, box: onPicture(face.box, part) }))
      .filter(({ box }) => !isMasked(box, picture, masks))
    const usable = found.filter(isUsable)
    const moving = staticFaces.see(usable, time)
    const poor = found.filter(face => !isUsable(face))
    unused.see([...moving, ...stillPatterns.see(poor, time)], time)
    tilt.see(usable)
    let shot: FrameShot | undefined
    tracker.see(moving, time, ({ box, quality }) => {
      if (quality < settings.leastQuality || !isInside(box, roi)) return undefined
      shot ??= shotOf(picture, recorder?.around(arrival))
      return shot
    })
  }

  /** True if no person was in the picture in the last minute. */
  const isEmpty = () => tracker.isEmpty() && staticFaces.isEmpty()

  const stillThere = (time: number) => {
    staticFaces.stillThere(time)
    stillPatterns.stillThere(time)
    tracker.stillThere(time)
  }

  const handle = async (first: Frame) => {
    if (!gate.isDue(first.grid, first.time)) {
      keep(first.picture)
      return stillThere(first.time)
    }
    let frame = first
    let { rot, roi } = regions()
    isAnalysing = true
    const faces = await analyzer.analyze(() => {
      // While the frame waited for a thread, a newer one has arrived.
      frame = waiting ?? first
      if (frame !== first) spare = first.picture
      waiting = undefined
      ;({ rot, roi } = regions())
      return taskOf(frame, { rot, roi }, isEmpty())
    })
    if (faces) see(frame, faces, { rot, roi })
    keep(frame.picture)
    knownAt = frame.time
  }

  /** A failed analysis skips its frame. */
  const fail = (error: unknown) => log('frame failed', traceOf(error))

  /** Handles frames until none waits. */
  const run = async () => {
    for (let frame = waiting; frame; frame = waiting) {
      waiting = undefined
      await handle(frame).catch(fail)
      isAnalysing = false
    }
    running = undefined
  }

  return {
    /** Takes the newest frame. Drops an older waiting frame. */
    put(picture: Raster, time: number) {
      const grid = unmasked(greyGrid(picture), masks)
      describe(grid, partOf(picture, regions().rot) === undefined)
      if (isEnded) return
      if (waiting) {
        dropped++
        spare = waiting.picture
      }
      const arrival = environment.monotonic()
      lateMs = arrival - time
      waiting = { picture, grid, time, arrival }
      running ??= run()
    },
    /**
     * Takes a frame of a recording: none is dropped. `onTurn` is called when the faces of those before are known. Resolves when its
     * own are known.
     */
    follow(picture: Raster, time: number, onTurn: () => void) {
      const frame = { picture, grid: unmasked(greyGrid(picture), masks), time, arrival: time }
      const isDue = gate.isDue(frame.grid, time)
      // Other frames are in analysis: how many depends on the machine.
      const task = isDue ? taskOf(frame, regions(), false) : undefined
      const found = task && analyzer.analyze(() => task).catch(fail)
      following = following
        .then(async () => {
          onTurn()
          if (!isDue) return stillThere(time)
          const faces = await found
          if (faces) see(frame, faces, regions())
        })
        .catch(fail)
      return following
    },
    /** The time, of `environment.monotonic()`, up to which all faces are known. */
    seenUntil: () => (isAnalysing ? knownAt : environment.monotonic() - lateMs),
    /** The last analysed frame. The tracker has its faces. Undefined before the first. */
    lastKnown: () => last,
    /** A picture of `put` whose memory may be overwritten. */
    takeSpare(): Raster | undefined {
      const taken = spare
      spare = undefined
      return taken
    },
    /** Where faces never move, in fractions of the picture. */
    staticFaces: () =>
      last
        ? staticFaces
            .boxes()
            .slice(0, CAMERA_LIMITS.areas)
            .map(box => areaOf(box, last!))
        : [],
    /** How often people were seen and could not be used. */
    unused: (time = environment.monotonic()) => unused.report(time),
    isEmpty,
    /** How the picture has to be turned for most faces to be upright. */
    tilt,
    /** Frames that newer ones replaced before their analysis. */
    dropped: () => dropped,
    /** Makes the next frame pass the motion gate, for example after a change of the regions. */
    reset() {
      gate.reset()
      closerAt = Number.NEGATIVE_INFINITY
    },
    /** Forgets the faces that do not move. */
    forget() {
      staticFaces = openStaticFaces()
      stillPatterns = openStaticFaces()
    },
    /** Drops the waiting frame. Resolves when the frame in analysis is finished. */
    async end() {
      isEnded = true
      waiting = undefined
      await running
    },
  }
}

/** The grid with black cells in the masks. */
const unmasked = (grid: Float32Array, masks: readonly Area[]) =>
  masks.length === 0
    ? grid
    : grid.map((value, cell) => {
        const [x, y] = [(cell % COLUMNS) + 0.5, Math.floor(cell / COLUMNS) + 0.5]
        return isMasked({ x1: x, y1: y, x2: x, y2: y }, { width: COLUMNS, height: ROWS }, masks) ? 0 : value
      })

/** Logs when a picture becomes dark or bright, and when it has nothing of the region of tracking. */
function describer(log: Log): (grid: Float32Array, outside: boolean) => void {
  let wasDark = false
  let wasOutside = false
  return (grid, outside) => {
    const dark = isDarkGrid(grid)
    if (dark !== wasDark) log(dark ? 'camera dark' : 'camera bright')
    if (outside && !wasOutside) log('camera outside')
    wasDark = dark
    wasOutside = outside
  }
}
