/** Stored facts of a face, in words. */
import type { Camera, Face } from '../../clients/typescript/src/index.ts'
import { cameraName } from '../connection/lists.ts'
import { formatNumber, formatSecond } from '../format.ts'
import { TEXTS } from '../texts.ts'
import { whoOfFace } from '../who.ts'

const cameraOf = ({ cam_id }: Face, cameras: Parameters<typeof cameraName>[0]) =>
  cam_id === undefined ? undefined : (cameraName(cameras, cam_id) ?? TEXTS.events.cameraId(cam_id))

/** Names and values of the stored facts of a face, for people. A value that does not apply is undefined. */
export function factsOf(
  face: Face,
  cameras: readonly Camera[] | undefined,
  titleOf: (gallery: string) => string,
): [string, string | undefined][] {
  const { quality, photo } = face
  const camera = cameraOf(face, cameras)
  const texts = TEXTS.events
  return [
    [texts.time, formatSecond(face.timestamp)],
    [texts.camera, camera],
    [texts.meta, face.meta === whoOfFace(face)?.name ? undefined : face.meta],
    [texts.galleries, face.galleries.map(titleOf).join(', ')],
    [
      TEXTS.try.quality,
      quality?.quality === undefined ? undefined : TEXTS.face.quality(quality.quality, formatNumber),
    ],
    [texts.isFriend, camera === undefined ? undefined : face.friend ? texts.yes : texts.no],
    [TEXTS.photo, photo],
    [texts.id, String(face.id)],
  ]
}
