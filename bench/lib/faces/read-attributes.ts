/** Estimates attributes of pictures as the service does: analysis, chip, thumbnail, estimator. */
import sharp from 'sharp'
import { ServiceError } from '#contract/errors.ts'
import { squaresOf } from '#core/embedding/estimate-batch.ts'
import { type Estimator, openEstimator, type ShownFace } from '#core/embedding/estimator.ts'
import { readModel } from '#models/files.ts'
import { inputLength } from '#models/input.ts'
import { DLIB_CHIP, type Pack, STANDARD } from '#models/manifest.ts'
import { DLIB_PACK } from '#models/packs.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { type Raster, uprightPhoto, warp } from '#wasm/imaging/image.ts'
import { analyzePhoto, openVisionModels, type SelectedFace } from '#wasm/pipeline.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'
import type { AttributePeer } from '../peers/attributes.ts'
import type { Said } from './labelled-attributes.ts'

/** A memory budget above the need of every test picture. */
const OPTIONS = { maxBytes: 2 ** 30, param: 'photo' }

const ALL = { age: true, gender: true, emotions: true }

/** Our whole chain. On pictures with several faces, the biggest counts. */
export async function ourChain(): Promise<AttributePeer> {
  const find = await openFinder()
  const estimator = await openEstimator()
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
      const photo = uprightPhoto(picture)
      const chip = warp(photo, [width / size, 0, 0, 0, height / size, 0], size, size)
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
  const models = await openVisionModels(await openRuntime(), loadCodecs(), readModel)
  return async picture => {
    const sighting = analyzePhoto(models, await asPng(picture), { selector: 'biggest', boxes: [] }, OPTIONS)
    return (await sighting.catch(nothingFound))?.selected[0]
  }
}

async function said(estimator: Estimator, face: ShownFace): Promise<Said> {
  const [read] = await estimator.estimate([face], ALL)
  return { age: read!.age!, gender: read!.gender!, emotion: read!.emotions![0]! }
}

function nothingFound(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code !== 'NO_FACES') throw error
}

async function asPng({ data, width, height }: Raster): Promise<Uint8Array> {
  const png = sharp(data, { raw: { width, height, channels: 3 } }).png({ compressionLevel: 1 })
  return new Uint8Array(await png.toBuffer())
}
