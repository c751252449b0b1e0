/** Groups sightings by day and camera. */
import { formatDay } from '../format.ts'
import type { Sighting } from './face-pages.ts'

/** Sightings of one camera on one day, newest first. */
export interface CameraDay {
  camera: string
  sightings: Sighting[]
}

export interface SightingDay {
  /** The day in the visitor's locale and time zone. */
  day: string
  /** The camera with the newest sighting first. */
  cameras: CameraDay[]
}

/** Days by their newest sightings, newest first. Faces can be enrolled in another order than they were seen in. */
export function sightingDays(sightings: readonly Sighting[]): SightingDay[] {
  const newestFirst = sightings.toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1))
  const days = Map.groupBy(newestFirst, ({ timestamp }) => formatDay(timestamp))
  return [...days].map(([day, seen]) => ({
    day,
    cameras: [...Map.groupBy(seen, ({ cam_id }) => cam_id)].map(([camera, theirs]) => ({
      camera,
      sightings: theirs,
    })),
  }))
}
