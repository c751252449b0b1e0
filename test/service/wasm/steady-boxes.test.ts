/** Boxes of faces are stable when a photo is scaled or mirrored. */
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { openTestModels, threePeople } from '#bench/harness/vision.ts'
import { type Box, overlap } from '#contract/model/bbox.ts'
import { analyzePhoto } from '#wasm/pipeline.ts'

const models = await openTestModels()
const facesOn = async (photo: Uint8Array): Promise<Box[]> =>
  (await analyzePhoto(models, photo, undefined, { maxBytes: 2 ** 26, param: 'photo' })).faces

const stretched = ({ x1, y1, x2, y2 }: Box, factor: number): Box => ({
  x1: x1 * factor,
  y1: y1 * factor,
  x2: x2 * factor,
  y2: y2 * factor,
})

/** Fails unless each face overlaps one of the others by more than `least`. */
function expectAgreement(faces: readonly Box[], others: readonly Box[], least: number): void {
  expect(others).toHaveLength(faces.length)
  for (const face of faces) {
    expect(Math.max(...others.map(other => overlap(face, other)))).toBeGreaterThan(least)
  }
}

describe('boxes of analyzePhoto', () => {
  const width = 1920

  it.each([0.5, 0.7, 1.2, 1.5])('keep their place when the photo is scaled by %f', async factor => {
    const photo = await threePeople()
    const scaled = await sharp(photo)
      .resize(width * factor)
      .jpeg({ quality: 92 })
      .toBuffer()
    const found = await facesOn(new Uint8Array(scaled))
    expectAgreement(
      await facesOn(photo),
      found.map(box => stretched(box, 1 / factor)),
      0.9,
    )
  })

  it('are mirrored with the photo', { tags: 'long' }, async () => {
    const photo = await threePeople()
    const found = await facesOn(new Uint8Array(await sharp(photo).flop().jpeg({ quality: 92 }).toBuffer()))
    const back = found.map(box => ({ ...box, x1: width - box.x2, x2: width - box.x1 }))
    expectAgreement(await facesOn(photo), back, 0.8)
  })

  it('appear on an enlarged photo whose faces were too small', async () => {
    // Heads have 25 to 30 pixels on the small photo and 76 to 91 on the enlarged one.
    const small = await sharp(await threePeople())
      .resize(300)
      .jpeg({ quality: 95 })
      .toBuffer()
    expect(await facesOn(new Uint8Array(small))).toEqual([])
    const large = await sharp(small).resize(900).jpeg({ quality: 92 }).toBuffer()
    const expected = (await facesOn(await threePeople())).map(box => stretched(box, 900 / width))
    expectAgreement(expected, await facesOn(new Uint8Array(large)), 0.6)
  })
})
