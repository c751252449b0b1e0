/** Advice to the person in front of the camera, from the faces that the service finds on a small picture. */
import type { DetectedFace } from '../../clients/typescript/src/index.ts'
import type { Size } from './photo.ts'

export type Advice = 'missing' | 'several' | 'closer' | 'straight' | 'light' | 'still' | 'ready'

/** Least part of the shorter side of the picture that a face takes: 120 pixels of 480. */
const LEAST_SIZE = 0.25

/** Most degrees that a head is turned or raised, and inclined. Alignment corrects an inclined head. */
const MOST_TURNED = 25
const MOST_INCLINED = 35

/** Least brightness of a face. With less, cameras add noise; a dark face in good light has .22. */
const LEAST_BRIGHTNESS = 0.15

/** A face of less quality founds no person. Source: core/metadata/persons/template-faces.ts; a test compares them. */
export const LEAST_QUALITY = 0.8

/** The first thing to change. Faces in the background, of less than half the size, do not count. */
export function adviceFor(faces: readonly DetectedFace[], { width, height }: Size): Advice {
  const sizes = faces.map(({ quality }) => quality?.size ?? 0)
  const size = Math.max(0, ...sizes)
  const quality = faces[sizes.indexOf(size)]?.quality
  if (!quality) return 'missing'
  if (sizes.filter(other => other > size / 2).length > 1) return 'several'
  if (size < LEAST_SIZE * Math.min(width, height)) return 'closer'
  if (quality.brightness < LEAST_BRIGHTNESS) return 'light'
  const { yaw, pitch, roll } = quality
  if (Math.max(Math.abs(yaw), Math.abs(pitch)) > MOST_TURNED || Math.abs(roll) > MOST_INCLINED)
    return 'straight'
  return (quality.quality ?? 1) < LEAST_QUALITY ? 'still' : 'ready'
}
