/** The quality of faces on a photo: original, blurred, darkened, and where there is no face. */
import sharp, { type Sharp } from 'sharp'
import type { Box } from '#contract/model/bbox.ts'
import { openTestModels, selectedFaces, THREE_FACES, threePeople } from '#test/support/vision.ts'
import type { SelectedFace, VisionModels } from '#wasm/pipeline.ts'

let models: VisionModels
let photo: Uint8Array<ArrayBuffer>
let faces: SelectedFace[]

beforeAll(async () => {
  models = await openTestModels()
  photo = await threePeople()
  faces = await facesOn(photo)
})

const facesOn = (bytes: Uint8Array, boxes: Box[] = []) =>
  selectedFaces(models, bytes, { selector: 'any', boxes, quality: true })

const byPlace = (some: SelectedFace[]) =>
  some.toSorted((a, b) => a.box.x1 - b.box.x1).map(({ quality }) => quality!)

const changed = async (change: (original: Sharp) => Sharp) =>
  new Uint8Array(await change(sharp(photo)).jpeg({ quality: 95 }).toBuffer())

describe('quality of a detected face', () => {
  it('falls when the photo is blurred or darkened', async () => {
    const [blurred, dark] = await Promise.all([
      facesOn(await changed(original => original.blur(6))),
      facesOn(await changed(original => original.linear(0.2, 0))),
    ])
    for (const [i, { quality }] of byPlace(faces).entries()) {
      expect(quality).toBeGreaterThan(0.8)
      expect(byPlace(blurred)[i]!.quality).toBeLessThan(quality! - 0.1)
      // Faces in a fifth of the light still match.
      expect(byPlace(dark)[i]!.quality).toBeLessThan(quality! - 0.005)
    }
  })

  it('equals the quality of a detected face when the box came with the request, and is near 0 where there is no face', async () => {
    const { x1, y1, x2, y2 } = THREE_FACES[0]!
    const wall = { x1: x1 - 150, x2: x1 - 10, y1, y2 }
    for (const blurred of [photo, new Uint8Array(await changed(original => original.blur(12)))]) {
      const [there, nothing] = await facesOn(blurred, [{ x1, y1, x2, y2 }, wall])
      const [detected] = byPlace((await facesOn(blurred)).filter(({ box }) => Math.abs(box.x1 - x1) < 50))
      expect(Math.abs(there!.quality!.quality! - (detected?.quality ?? 0))).toBeLessThan(0.1)
      expect(nothing!.quality).toMatchObject({ score: 0 })
      expect(nothing!.quality!.quality).toBeLessThan(0.01)
    }
  })
})
