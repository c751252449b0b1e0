/** Aligns the face of a picture in several chip layouts from one detection. */
import { readFile } from 'node:fs/promises'
import { ServiceError } from '#contract/errors.ts'
import { DLIB_CHIP } from '#models/manifest.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { layout, similarity } from '#wasm/alignment/align.ts'
import { readHeader } from '#wasm/decode/header.ts'
import { BLAZEFACE_POINTS } from '#wasm/detectors/blazeface/blazeface.ts'
import type { Point } from '#wasm/imaging/geometry.ts'
import { type Affine, type Photo, warp } from '#wasm/imaging/image.ts'
import { analyzePhoto, type VisionModels } from '#wasm/pipeline.ts'
import { mostCentral } from './embed-pictures.ts'

/**
 * `dlib`: dlib's chip by 68 landmarks. `landmarks` and `detector`: the standard chip by landmarks or by the
 * detector's points.
 */
export type Alignment = 'dlib' | 'landmarks' | 'detector'

export type Chips = Readonly<Record<Alignment, Uint8Array>>

const BUDGET = 2 ** 30

/**
 * The chips of the most central face; undefined when no face is found. Landmarks replace detector points that are
 * missing.
 */
export async function alignedChips(models: VisionModels, path: string): Promise<Chips | undefined> {
  const bytes = new Uint8Array(await readFile(path))
  const cut: Chips[] = []
  const landmarks: VisionModels['landmarks'] = {
    async find(photo, face) {
      const points = await models.landmarks.find(photo, face)
      cut.push(chipsOf(photo, points, face.points))
      return points
    },
  }
  const options = { maxBytes: BUDGET, param: 'photo' }
  const sighting = await analyzePhoto(
    { ...models, landmarks },
    bytes,
    { selector: 'all', boxes: [] },
    options,
  ).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'NO_FACES') return undefined
    throw error
  })
  const faces = sighting?.selected.map(({ box }, i) => ({ box, chips: cut[i]! })) ?? []
  return mostCentral(faces, readHeader(bytes))?.chips
}

function chipsOf(photo: Photo, points: readonly Point[], detected: readonly Point[] | undefined): Chips {
  const { chip } = STANDARD_PACK.embedder
  const cut = (map: Affine, side: number) => warp(photo, map, side, side)
  return {
    dlib: cut(layout(points, DLIB_CHIP), DLIB_CHIP.size),
    landmarks: cut(layout(points, chip), chip.size),
    detector: cut(detected ? byFourPoints(detected) : layout(points, chip), chip.size),
  }
}

/**
 * Positions of BlazeFace's eyes, nose and mouth centre on standard chips laid out by 68 landmarks: means over 250
 * pictures of LFW (every twentieth). BlazeFace gives no mouth corners, which ArcFace's template needs.
 */
const FOUR_POINTS: readonly Point[] = [
  { x: 53.96, y: 69.6 },
  { x: 91.18, y: 69.36 },
  { x: 72.77, y: 90.03 },
  { x: 72.87, y: 109.58 },
]

const { rightEye, leftEye, noseTip, mouth } = BLAZEFACE_POINTS

const byFourPoints = (points: readonly Point[]): Affine =>
  similarity(
    FOUR_POINTS,
    [rightEye, leftEye, noseTip, mouth].map(i => points[i]!),
  )
