/** Pictures to attributes, as the service reads them: a look, the chip, the estimator. */
import sharp from 'sharp'
import { ServiceError } from '../../core/contract/errors.ts'
import { openEstimator } from '../../core/embedding/estimator.ts'
import { readModel } from '../../models/files.ts'
import { STANDARD } from '../../models/manifest.ts'
import { loadCodecs } from '../../wasm/decode/codecs.node.ts'
import type { Raster } from '../../wasm/image.ts'
import { look, openEyes, type Sighting } from '../../wasm/look.ts'
import { openRuntime } from '../../wasm/runtime.node.ts'
import type { AttributePeer } from '../peers/attributes.ts'

/** More than any test picture takes. */
const OPTIONS = { budget: 2 ** 30, param: 'photo' }

/** Of several faces on a picture the biggest one counts. */
export async function ourChain(): Promise<AttributePeer> {
  const eyes = await openEyes(await openRuntime(), loadCodecs(), {
    detector: await readModel(STANDARD.detector.file),
    landmarks: await readModel(STANDARD.landmarks.file),
  })
  const estimator = await openEstimator()
  const biggest = (bytes: Uint8Array): Promise<Sighting | undefined> =>
    look(eyes, bytes, { selector: 'biggest', boxes: [] }, OPTIONS).catch(nothingFound)

  return {
    name: 'Mien, by itself',
    async read(picture) {
      const [face] = (await biggest(await asPng(picture)))?.selected ?? []
      if (!face) return undefined
      const asked = { age: true, gender: true, emotions: true }
      const [read] = await estimator.estimate([face], asked)
      return { age: read!.age!, gender: read!.gender!, emotion: read!.emotions![0]! }
    },
  }
}

function nothingFound(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code !== 'NO_FACES') throw error
}

async function asPng({ data, width, height }: Raster): Promise<Uint8Array> {
  const png = sharp(data, { raw: { width, height, channels: 3 } }).png({ compressionLevel: 1 })
  return new Uint8Array(await png.toBuffer())
}
