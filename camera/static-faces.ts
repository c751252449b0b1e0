/** Finds the faces that never move, as on posters and still television pictures: no person stands still for ten minutes. */
import { type Box, height, overlap, width } from '../contract/model/bbox.ts'

/** Milliseconds without a movement after which a face is static, and without a face there after which it is not. */
const STATIC_AFTER_MS = 600_000

/** Least intersection over union of a face that has not moved, and of a face that may be the same. */
const SAME_PLACE_IOU = 0.75
const NEARBY_IOU = 0.1

/** Share of the frames on which the face is elsewhere nearby. Heads of people who sit and work move more. */
const MOVED_SHARE = 0.05

/** Milliseconds without the face after which its time begins again. */
const FORGET_PLACE_MS = 60_000

interface Place {
  box: Box
  since: number
  seen: number
  still: number
  moved: number
  isStatic: boolean
}

/** Times are milliseconds of a clock that never goes back. */
export function openStaticFaces() {
  let places: Place[] = []
  let seenAt = 0

  const note = (box: Box, time: number) => {
    const stays = places.filter(place => overlap(place.box, box) >= SAME_PLACE_IOU)
    for (const place of stays) {
      place.seen = time
      place.still++
    }
    if (stays.length === 0) places.push({ box, since: time, seen: time, still: 1, moved: 0, isStatic: false })
  }

  return {
    /** Takes the faces of a frame. Returns the other ones. */
    see<Face extends { readonly box: Box }>(faces: readonly Face[], time: number): Face[] {
      seenAt = time
      places = places.filter(
        ({ seen, isStatic }) => time - seen <= (isStatic ? STATIC_AFTER_MS : FORGET_PLACE_MS),
      )
      for (const { box } of faces) note(box, time)
      for (const place of places) {
        if (place.isStatic && faces.some(({ box }) => isAt(place.box, box))) place.seen = time
        if (place.seen === time) continue
        if (faces.some(({ box }) => overlap(place.box, box) >= NEARBY_IOU)) place.moved++
      }
      for (const place of places)
        place.isStatic ||= time - place.since >= STATIC_AFTER_MS && place.moved <= MOVED_SHARE * place.still
      const staticPlaces = places.filter(({ isStatic }) => isStatic)
      return faces.filter(({ box }) => !staticPlaces.some(place => isAt(place.box, box)))
    },
    /** The picture has not changed since the last frame. */
    stillThere(time: number) {
      for (const place of places) if (place.seen === seenAt) place.seen = time
      seenAt = time
    },
    /** Whether no face was seen in the last minute. */
    isEmpty: () => places.length === 0,
    /** The boxes of static faces. */
    boxes: () => places.filter(({ isStatic }) => isStatic).map(({ box }) => box),
  }
}

/** Whether another face is at a place: after a cut of a television picture, it is about as large and not far away. */
function isAt(place: Box, face: Box) {
  const size = width(face) / width(place)
  const across = Math.abs(face.x1 + face.x2 - place.x1 - place.x2) / 2
  const down = Math.abs(face.y1 + face.y2 - place.y1 - place.y2) / 2
  return size >= 0.5 && size <= 2 && across <= width(place) && down <= height(place)
}
