/** Variants of embedding one face: other networks, dimensions and views, and chips aligned by other points. */
import { readFile } from 'node:fs/promises'
import { openSession } from '#core/embedding/chip-pool.ts'
import { embedBatch } from '#core/embedding/embed-batch.ts'
import { unitVector } from '#core/vector-store/unit-vector.ts'
import { mobileFaceNetModel } from '#models/convert/mobilefacenet.ts'
import { readModel } from '#models/files.ts'
import { DLIB_CHIP, type EmbedderModel, entryOf } from '#models/manifest.ts'
import { DLIB_PACK, STANDARD_PACK } from '#models/packs.ts'
import { layout, similarity } from '#wasm/alignment/align.ts'
import { readHeader } from '#wasm/decode/header.ts'
import { BLAZEFACE_POINTS } from '#wasm/detectors/blazeface/blazeface.ts'
import type { Point } from '#wasm/imaging/geometry.ts'
import { type Affine, type Photo, warp } from '#wasm/imaging/image.ts'
import type { VisionModels } from '#wasm/pipeline.ts'
import { facesOn, mostCentral } from './analysis.ts'

/**
 * `dlib`: dlib's chip by 68 landmarks. `landmarks` and `detector`: the standard chip by landmarks or by the
 * detector's points.
 */
export type Alignment = 'dlib' | 'landmarks' | 'detector'

type Chips = Readonly<Record<Alignment, Uint8Array>>

export interface Variant {
  name: string
  alignment: Alignment
  /** Returns an embedding of unit length. */
  embed(chip: Uint8Array): Promise<Float32Array>
}

/** Opens every variant with its own session. */
export async function openVariants(): Promise<Variant[]> {
  const { embedder } = STANDARD_PACK
  const source = await sourceOf(embedder.file)
  const shipped = await readModel(embedder.file)
  const { embedder: dlib } = DLIB_PACK
  const variant = async (name: string, alignment: Alignment, model: EmbedderModel, network: Uint8Array) => {
    const session = await openSession(network)
    return {
      ...{ name, alignment },
      embed: async (chip: Uint8Array) => unitVector(await embedBatch(session, model, chip)),
    }
  }
  const short = { ...embedder, dimension: 128 }
  const long = { ...embedder, dimension: 512, single: true }
  return Promise.all([
    variant('dlib', 'dlib', dlib, await readModel(dlib.file)),
    variant('standard', 'landmarks', embedder, shipped),
    variant('standard, and the mirror image', 'landmarks', { ...embedder, mirrored: true }, shipped),
    variant('standard, all 512 numbers', 'landmarks', long, source),
    variant('standard, 128 numbers', 'landmarks', short, mobileFaceNetModel(source, 128)),
    variant("standard, by the detector's points", 'detector', embedder, shipped),
  ])
}

/** The file in the npm package from which the embedder is built. */
async function sourceOf(file: string): Promise<Uint8Array> {
  const entry = entryOf(file)
  if (!('network' in entry)) throw new Error(`${file} is not made of an ONNX file`)
  const path = new URL(`../../../node_modules/${entry.package}/${entry.network}`, import.meta.url)
  return new Uint8Array(await readFile(path))
}

/** The chips of the most central face, from one detection; undefined when no face is found. */
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
  const faces = await facesOn({ ...models, landmarks }, bytes)
  const withChips = faces.map(({ box }, i) => ({ box, chips: cut[i]! }))
  return mostCentral(withChips, readHeader(bytes))?.chips
}

/** Landmarks replace detector points that are missing. */
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
