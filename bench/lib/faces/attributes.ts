/** Estimates attributes of pictures as the service does: analysis, chip, thumbnail, estimator. */
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { squaresOf } from '#core/embedding/estimate-batch.ts'
import { type Estimator, openEstimator, type ShownFace } from '#core/embedding/estimator.ts'
import { inputLength } from '#models/input.ts'
import { DLIB_CHIP, type Pack, STANDARD } from '#models/manifest.ts'
import { DLIB_PACK } from '#models/packs.ts'
import { type Raster, uprightPhoto, warp } from '#wasm/imaging/image.ts'
import type { SelectedFace } from '#wasm/pipeline.ts'
import type { AttributePeer } from '../peers/attributes.ts'
import { facesOn, openAnalysis, pixelsOf } from './analysis.ts'

/** Attributes of a face, labelled or estimated. */
export interface Said {
  age?: number
  gender?: string
  emotion?: string
}

/**
 * Minimum side in pixels. Emotion pictures have 48 px, too few for detectors; every contestant gets them four times
 * as large.
 */
const LEAST_SIDE = 192

/** Decodes the picture, and enlarges it if it is very small. */
export async function openPicture(path: string): Promise<Raster> {
  const file = await readFile(path)
  const { width } = await sharp(file).metadata()
  return pixelsOf(sharp(file).resize(Math.max(width, LEAST_SIDE), null, { kernel: 'cubic' }))
}

/** Our whole chain. On pictures with several faces, the biggest counts. */
export async function ourChain(): Promise<AttributePeer> {
  const [find, estimator] = [await openFinder(), await openEstimator()]
  return {
    name: 'Mien, by itself',
    async read(picture) {
      const face = await find(picture)
      return face && said(estimator, face)
    },
  }
}

/** Our networks on the whole picture, which the peers also get. Without detection; averaged only over mirror images. */
export async function oursOnWhole(): Promise<AttributePeer> {
  const { ageGender, emotion } = STANDARD.attributes
  const attributes: Pack['attributes'] = {
    ageGender: { ...ageGender, views: [{ side: 1, top: 0 }] },
    emotion: { ...emotion, squares: [{ side: 1, up: 0 }] },
  }
  // The views of age and gender are parts of dlib's chip.
  const { size } = DLIB_CHIP
  const estimator = await openEstimator({ pack: { ...DLIB_PACK, attributes } })
  return {
    name: 'Mien, whole picture',
    read(picture) {
      const { width, height } = picture
      const chip = warp(uprightPhoto(picture), [width / size, 0, 0, 0, height / size, 0], size, size)
      const thumbnail = { ...picture, face: { x1: 0, y1: 0, x2: width, y2: height } }
      return said(estimator, { chip, thumbnail })
    },
  }
}

/** The squares around the detected face that our emotion network takes as input. */
export async function ourSquares(): Promise<(picture: Raster) => Promise<Raster[] | undefined>> {
  const find = await openFinder()
  const { emotion } = STANDARD.attributes
  const { size } = emotion
  const length = inputLength(size, size)
  return async picture => {
    const face = await find(picture)
    if (!face) return undefined
    const pixels = squaresOf(face.thumbnail, emotion)
    return emotion.squares.map((_, i) => ({
      data: pixels.subarray(i * length, (i + 1) * length),
      width: size,
      height: size,
    }))
  }
}

async function openFinder(): Promise<(picture: Raster) => Promise<SelectedFace | undefined>> {
  const models = await openAnalysis()
  return async ({ data, width, height }) => {
    const png = sharp(data, { raw: { width, height, channels: 3 } }).png({ compressionLevel: 1 })
    const [face] = await facesOn(models, await png.toBuffer(), { selector: 'biggest' })
    return face
  }
}

async function said(estimator: Estimator, face: ShownFace): Promise<Said> {
  const [read] = await estimator.estimate([face], { age: true, gender: true, emotions: true })
  return { age: read!.age!, gender: read!.gender!, emotion: read!.emotions![0]! }
}
