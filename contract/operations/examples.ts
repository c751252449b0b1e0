/** Parts of the examples of answers that several subjects share. */

export const FACE_ID = 4596074098019885
export const TIMESTAMP = '2026-11-22T09:57:24.539000'
export const PHOTO_HASH = '8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51'
export const FACE_BOX = { x1: 426, y1: 372, x2: 605, y2: 604 }
export const ATTRIBUTES = { age: 24.95, gender: 'female', emotions: ['neutral', 'happy'] }

export const CAMERA_ID = '709d6c9d-9ab9-442f-8e31-40c49d38fa30'
/** The same id in faces and events. */
export const CAMERA_DIGITS = CAMERA_ID.replaceAll('-', '')

export const picture = (file: string): string =>
  `https://mien.example/pictures/7a355457c44edb86e506caf8/${FACE_ID}/${file}?expires=1795428000&key=b9c51cab&signature=uOlQDc5b`

/** A face as its enrolment answers it: it has no person yet. */
export const ENROLLED_FACE = {
  id: FACE_ID,
  timestamp: TIMESTAMP,
  photo: 'ann.jpg',
  photo_hash: PHOTO_HASH,
  thumbnail: picture('thumbnail.jpg'),
  normalized: picture('normalized.png'),
  ...FACE_BOX,
  meta: 'Ann',
  galleries: ['default', 'staff'],
  friend: false,
  cam_id: CAMERA_DIGITS,
  ...ATTRIBUTES,
}

export const FACE = { ...ENROLLED_FACE, person_id: 7 }

export const LAST_PAGE = { prev_page: null, next_page: null }
