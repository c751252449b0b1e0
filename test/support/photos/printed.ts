/** A print of a person, held before a wall. */
import sharp from 'sharp'
import { sample } from '../client.ts'

/** The left person of sample 2. */
const PRINT = { left: 271, top: 83, width: 362, height: 405 }

/** A picture with a liveness below 0.1. */
export async function printedFace(): Promise<Uint8Array<ArrayBuffer>> {
  const print = await sharp(await sample(2))
    .extract(PRINT)
    .resize(220)
    .toBuffer()
  const wall = sharp({ create: { width: 360, height: 480, channels: 3, background: '#d8d4cc' } })
  return new Uint8Array(
    await wall
      .composite([{ input: print }])
      .jpeg({ quality: 88 })
      .toBuffer(),
  )
}
