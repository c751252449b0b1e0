/** Sample owners, and faces that differ by colour. Imports no test runner: child processes use this file too. */

import type { RpcRequest } from '#contract/operations/messages.ts'
import { cosineScale } from '#core/calibration/scale.ts'
import type { FaceRow } from '#core/metadata/faces/faces.ts'
import type { FacePixels } from '#core/operations/faces/enrol.ts'
import type { LinkKeys } from '#core/pictures/links.ts'
import { times } from '#test/support/times.ts'

export const OWNER = '0123456789abcdef01234567'
export const OTHER_OWNER = 'fedcba9876543210fedcba98'

/** The id of a token. */
export const TOKEN = '0123456789ab'

/** Embeds each chip as the sum of each of its colours. */
export async function embedByColour(chips: readonly Uint8Array[]): Promise<Float32Array[]> {
  return chips.map(chip => {
    const sums = new Float32Array(3)
    for (const [i, value] of chip.entries()) sums[i % 3]! += value + 1
    return sums
  })
}

export const testServices = {
  links: (): LinkKeys => [{ id: 'test', key: 'a key for the links of tests' }],
  embed: embedByColour,
  scale: cosineScale(score => Math.max(0, Math.min(1, score))),
}

/** Box of the face on each thumbnail. */
const FACE_BOX = { x1: 8, y1: 10, x2: 32, y2: 40 }

/** A face of one colour: its chip and a small thumbnail. */
export const faceOf = (red: number, green: number, blue: number): FacePixels => ({
  chip: plain(150, 150, [red, green, blue]),
  thumbnail: { ...plain(40, 50, [red, green, blue]), face: FACE_BOX },
})

const plain = (width: number, height: number, colour: number[]) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * 3 }, (_, i) => colour[i % 3]!),
})

export const FACE = faceOf(1, 2, 3)
export const RED = faceOf(200, 10, 10)
export const REDDISH = faceOf(200, 60, 10)
export const BLUE = faceOf(10, 10, 200)

export function enrolment(count: number, changed: Partial<RpcRequest<'enrol'>> = {}): RpcRequest<'enrol'> {
  return {
    owner: OWNER,
    by: TOKEN,
    photo: 'photo.jpg',
    photoHash: 'abcd',
    meta: '',
    galleries: [],
    faces: times(count, i => ({
      box: { x1: 100 * i, y1: 2, x2: 100 * i + 60, y2: 70 },
      thumbnail: { width: 40, height: 50, face: FACE_BOX },
    })),
    ...changed,
  }
}

let faceCount = 0

/** A row of a face without pictures, with the next id. */
export function faceRow(owner: string, personId: number | null, changed: Partial<FaceRow>): FaceRow {
  const id = ++faceCount
  return {
    id,
    owner,
    personId,
    timestamp: id,
    photo: '',
    photoHash: `photo ${id}`,
    meta: '',
    x1: 0,
    y1: 0,
    x2: 60,
    y2: 60,
    camera: null,
    age: null,
    gender: null,
    emotions: null,
    quality: null,
    measuredQuality: null,
    liveness: null,
    detectorInfo: null,
    pictured: false,
    snapshot: false,
    clip: false,
    review: null,
    confirmed: false,
    candidate: null,
    candidateConfidence: null,
    ...changed,
  }
}
