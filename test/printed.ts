/** A bent print of a person on a sample photo, as a camera would record it. */
import sharp from 'sharp'
import { sample } from '../bench/harness/client.ts'
import { ATTACKS, PICTURE } from '../bench/lib/liveness/attacks.ts'
import { seededRandom } from '../core/vector-store/index/seeded-random.ts'

/** The left face of sample 2, and the scale of the printed photo. */
const FACE = { x1: 339, y1: 159, x2: 565, y2: 412 }
const SCALE = 0.5

/** A picture with a liveness below 0.1. */
export async function printedFace(): Promise<Uint8Array<ArrayBuffer>> {
  const image = sharp(await sample(2))
  const { width } = await image.metadata()
  const printed = image.resize(Math.round(width * SCALE)).removeAlpha()
  const { data, info } = await printed.raw().toBuffer({ resolveWithObject: true })
  const grey = { ...PICTURE, channels: 3 as const }
  const wall = await sharp({ create: { ...grey, background: '#8a8478' } })
    .raw()
    .toBuffer()
  const picture = await ATTACKS['print, bent']!({
    data: new Uint8Array(data),
    width: info.width,
    height: info.height,
    face: { x1: SCALE * FACE.x1, y1: SCALE * FACE.y1, x2: SCALE * FACE.x2, y2: SCALE * FACE.y2 },
    background: { data: new Uint8Array(wall), ...PICTURE },
    random: seededRandom(1),
  })
  return picture as Uint8Array<ArrayBuffer>
}
