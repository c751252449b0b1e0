/** Follows the people in front of one camera: a track is one visit of one person. */
import { environment } from '../contract/environment.ts'
import { type Box, overlap } from '../contract/model/bbox.ts'
import type { UnusedReason } from '../contract/model/camera.ts'

/** Times are milliseconds of a clock that never goes back. */
export interface Track<Shot> extends Known {
  readonly id: string
  readonly first: number
  readonly last: number
  /** Analysed frames with the face. */
  readonly frames: number
  /** The best picture, and its quality. Undefined while no face could be reported. */
  readonly best: { readonly face: SeenFace; readonly shot: Shot; readonly time: number } | undefined
  /** Time of its first picture that could be reported. */
  readonly shown: number | undefined
  /** The last report, and the quality of its picture. Undefined before the first. */
  readonly report: { readonly time: number; readonly quality: number } | undefined
}

/** A visit to report. An update has a better picture than the earlier report of the visit. */
export type ReportedTrack<Shot> = Track<Shot> & { readonly isUpdate: boolean }

export interface TrackerSettings {
  /** Milliseconds without the face that end a visit. */
  absenceMs: number
  /** Milliseconds after which a longer visit is reported. */
  longestMs: number
  /** Milliseconds after the first picture that can be reported, after which a visit is reported. Absent: at its end. */
  earlyMs?: number
}

export type Tracker<Shot> = ReturnType<typeof openTracker<Shot>>

/** A detection on a single frame is often no face. A visit of one frame is reported from this quality up. */
const SINGLE_FRAME_QUALITY = 0.5

/** Gain of quality that makes another picture the best one. */
const BEST_PICTURE_GAIN = 0.02

/** Gain of quality that reports a visit again, and the least time between two reports in milliseconds. */
const UPDATE_GAIN = 0.05
const UPDATE_AFTER_MS = 2_000

/** The state of a track. */
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

export function openTracker<Shot>({ absenceMs, longestMs, earlyMs = longestMs }: TrackerSettings) {
  let tracks: Mutable<Track<Shot>>[] = []
  /** Time of the last analysed frame. */
  let seenAt = 0

  /** The tracks with a picture that is not reported, or that is better than the reported one. */
  const reported = (ended: readonly Mutable<Track<Shot>>[], time: number): ReportedTrack<Shot>[] =>
    ended.flatMap(track => {
      const { report, best } = track
      if (!best || (report && best.face.quality < report.quality + UPDATE_GAIN)) return []
      if (track.frames === 1 && track.quality < SINGLE_FRAME_QUALITY) return []
      track.report = { time, quality: best.face.quality }
      return [{ ...track, isUpdate: report !== undefined }]
    })

  const isDue = ({ first, shown, report }: Track<Shot>, time: number) =>
    report
      ? time - report.time >= UPDATE_AFTER_MS
      : time - first > longestMs || (shown !== undefined && time - shown >= earlyMs)

  return {
    /** Adds the faces of a frame. `shotOf` makes the picture of a face that is the best of its track; undefined: not reported. */
    see(faces: readonly SeenFace[], time: number, shotOf: (face: SeenFace) => Shot | undefined) {
      seenAt = time
      const assigned = associate(tracks, faces)
      for (const [i, face] of faces.entries()) {
        const track = tracks[assigned[i] ?? Number.NaN]
        if (track) extend(track, face, time)
        const shown = track ?? newTrack<Shot>(face, time)
        if (!track) tracks.push(shown)
        improve(shown, face, time, shotOf)
      }
    },
    /** The picture has not changed since the last analysed frame: its faces are still there. */
    stillThere(time: number) {
      for (const track of tracks) if (track.last === seenAt) track.last = time
      seenAt = time
    },
    /** Boxes of the people on the last analysed frame. */
    present: () => tracks.filter(({ last }) => last === seenAt).map(({ box }) => box),
    /** True if no person is tracked. */
    isEmpty: () => tracks.length === 0,
    /** Visits to report now: visits that ended before `time`, new and long visits, and visits with a better picture. */
    due(time: number): ReportedTrack<Shot>[] {
      const ended = tracks.filter(({ last }) => time - last > absenceMs)
      tracks = tracks.filter(track => !ended.includes(track))
      const due = tracks.filter(track => isDue(track, time))
      return reported([...ended, ...due], time)
    },
    /** Ends all visits. Returns those to report. */
    end(): ReportedTrack<Shot>[] {
      const ended = tracks
      tracks = []
      return reported(ended, seenAt)
    },
  }
}

/** Weight of a face without any quality, beside faces with a quality of 1. */
const LEAST_WEIGHT = 0.05

const newTrack = <Shot>({ box, quality, embedding }: SeenFace, time: number): Mutable<Track<Shot>> => ({
  id: environment.id(),
  first: time,
  last: time,
  frames: 1,
  box,
  sum: embedding.map(value => value * (quality + LEAST_WEIGHT)),
  quality,
  best: undefined,
  shown: undefined,
  report: undefined,
})

function extend(track: Mutable<Track<unknown>>, { box, quality, embedding }: SeenFace, time: number) {
  track.last = time
  track.frames++
  track.box = box
  track.quality = Math.max(track.quality, quality)
  for (let i = 0; i < embedding.length; i++) track.sum[i]! += embedding[i]! * (quality + LEAST_WEIGHT)
}

function improve<Shot>(
  track: Mutable<Track<Shot>>,
  face: SeenFace,
  time: number,
  shotOf: (face: SeenFace) => Shot | undefined,
) {
  const { best, report } = track
  if (best && face.quality < best.face.quality + BEST_PICTURE_GAIN) return
  // A picture that would not be reported is not made.
  if (report && face.quality < report.quality + UPDATE_GAIN) return
  const shot = shotOf(face)
  if (shot === undefined) return
  track.best = { face, shot, time }
  track.shown ??= time
}

/** Data of a track for the association. */
interface Known {
  /** Where it was seen last. */
  readonly box: Box
  /** Sum of the embeddings of its faces, weighted by quality. */
  readonly sum: Float32Array
  /** Best quality of its faces, 0..1. */
  readonly quality: number
}

/**
 * Cosine of a face and the mean of a track above which they are the same person, wherever the box is: the cosine of the
 * threshold `medium`. Embeddings of faces below the quality CLEAR_QUALITY are unreliable.
 */
const SAME_PERSON_COSINE = 0.38
const CLEAR_QUALITY = 0.1

/** Least overlap (intersection over union), with the least cosine, of a face that only moved or turned. */
const NEAR_OVERLAP = 0.3
const NEAR_COSINE = 0.1

/**
 * The index of the track of each face; undefined for a new person. A track gets one face at most. The best pairs are assigned
 * first.
 */
function associate(tracks: readonly Known[], faces: readonly SeenFace[]): (number | undefined)[] {
  const pairs = faces.flatMap((face, f) =>
    tracks.flatMap((track, t) => {
      const shared = overlap(track.box, face.box)
      const cosine = cosineOf(track.sum, face.embedding)
      const isClear = Math.min(track.quality, face.quality) >= CLEAR_QUALITY
      const fits =
        (isClear && cosine >= SAME_PERSON_COSINE) || (shared >= NEAR_OVERLAP && cosine >= NEAR_COSINE)
      return fits ? [{ f, t, score: shared + cosine }] : []
    }),
  )
  const assigned: (number | undefined)[] = faces.map(() => undefined)
  const taken = new Set<number>()
  for (const { f, t } of pairs.sort((a, b) => b.score - a.score)) {
    if (assigned[f] !== undefined || taken.has(t)) continue
    assigned[f] = t
    taken.add(t)
  }
  return assigned
}

/** Cosine of a sum of unit vectors and a unit vector. */
function cosineOf(sum: Float32Array, embedding: Float32Array) {
  let [product, squares] = [0, 0]
  for (let i = 0; i < sum.length; i++) {
    product += sum[i]! * embedding[i]!
    squares += sum[i]! * sum[i]!
  }
  return product / (Math.sqrt(squares) || 1)
}

export interface SeenFace {
  /** In whole pixels. */
  readonly box: Box
  /** Probability that the picture matches another good picture of the person, 0..1. */
  readonly quality: number
  /** Degrees by which the face is turned clockwise in the picture. */
  readonly roll: number
  /** What lowers the quality most. */
  readonly fault?: UnusedReason
  /** Unit vector, or empty for a face that cannot be used. It stays in this process and only connects the frames of a visit. */
  readonly embedding: Float32Array
}
