/** Follows the people in front of one camera: a track is one visit of one person. */
import { randomUUID } from 'node:crypto'
import type { Box } from '../../contract/model/bbox.ts'
import { associate, type Known } from './associate.ts'
import type { SeenFace } from './seen-face.ts'

/** Times are milliseconds of a clock that never goes back. */
export interface Track<Shot> extends Known {
  readonly id: string
  readonly first: number
  readonly last: number
  /** Analysed frames with the face. */
  readonly frames: number
  /** The best picture, and its quality. Undefined while no face could be reported. */
  readonly best: { readonly face: SeenFace; readonly shot: Shot; readonly time: number } | undefined
  /** Whether `due` has returned the track. */
  readonly isReported: boolean
}

export interface TrackerSettings {
  /** Milliseconds without the face that end a visit. */
  absenceMs: number
  /** Milliseconds after which a visit that goes on is reported. */
  longestMs: number
}

export interface Tracker<Shot> {
  /** Adds the faces of a frame. `shotOf` makes the picture of a face that is the best of its track; undefined: not reported. */
  see(faces: readonly SeenFace[], time: number, shotOf: (face: SeenFace) => Shot | undefined): void
  /** The picture has not changed since the last analysed frame: its faces are still there. */
  stillThere(time: number): void
  /** Boxes of the people on the last analysed frame. */
  present(): Box[]
  /** Visits to report now: those that ended before `time`, and long ones. Each is returned once. */
  due(time: number): Track<Shot>[]
  /** Ends all visits. Returns those to report. */
  end(): Track<Shot>[]
}

/** A detection on a single frame is often no face. A visit of one frame is reported from this quality up. */
const ALONE = 0.5

/** Gain of quality that makes another picture the best one. */
const GAIN = 0.02

/** The state of a track. */
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

export function openTracker<Shot>({ absenceMs, longestMs }: TrackerSettings): Tracker<Shot> {
  let tracks: Mutable<Track<Shot>>[] = []
  /** Time of the last analysed frame. */
  let seenAt = 0

  const reported = (ended: readonly Mutable<Track<Shot>>[]): Track<Shot>[] =>
    ended.filter(track => {
      if (track.isReported || !track.best) return false
      if (track.frames === 1 && track.quality < ALONE) return false
      track.isReported = true
      return true
    })

  return {
    see(faces, time, shotOf) {
      seenAt = time
      const assigned = associate(tracks, faces)
      for (const [i, face] of faces.entries()) {
        const track = tracks[assigned[i] ?? Number.NaN]
        if (track) extend(track, face, time)
        const shown = track ?? started<Shot>(face, time)
        if (!track) tracks.push(shown)
        if (!shown.isReported) improve(shown, face, time, shotOf)
      }
    },
    stillThere(time) {
      for (const track of tracks) if (track.last === seenAt) track.last = time
      seenAt = time
    },
    present: () => tracks.filter(({ last }) => last === seenAt).map(({ box }) => box),
    due(time) {
      const ended = tracks.filter(({ last }) => time - last > absenceMs)
      tracks = tracks.filter(track => !ended.includes(track))
      const long = tracks.filter(({ first }) => time - first > longestMs)
      return reported([...ended, ...long])
    },
    end() {
      const ended = tracks
      tracks = []
      return reported(ended)
    },
  }
}

/** Weight of a face without any quality, beside faces with a quality of 1. */
const LEAST_WEIGHT = 0.05

const started = <Shot>({ box, quality, embedding }: SeenFace, time: number): Mutable<Track<Shot>> => ({
  id: randomUUID(),
  first: time,
  last: time,
  frames: 1,
  box,
  sum: embedding.map(value => value * (quality + LEAST_WEIGHT)),
  quality,
  best: undefined,
  isReported: false,
})

function extend(track: Mutable<Track<unknown>>, { box, quality, embedding }: SeenFace, time: number): void {
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
): void {
  if (track.best && face.quality < track.best.face.quality + GAIN) return
  const shot = shotOf(face)
  if (shot !== undefined) track.best = { face, shot, time }
}
