/** The standard detector on whole photos: the number of passes, their cost, the detected faces, and when the overview is enough. */

import * as fc from 'fast-check'
import sharp, { type OverlayOptions, type Sharp } from 'sharp'
import { buildModels } from '#commands/build/models.ts'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { shorterSide } from '#contract/model/bbox.ts'
import { readModel } from '#models/files.ts'
import { STANDARD } from '#models/manifest.ts'
import { sample } from '#test/support/client.ts'
import { times } from '#test/support/times.ts'
import { THREE_FACES, threePeople } from '#test/support/vision.ts'
import type { Detection, WantedFaces } from '#wasm/detectors/detection.ts'
import { isOverviewEnough, openDetector } from '#wasm/detectors/detector.ts'
import { openOnet } from '#wasm/detectors/mtcnn/onet.ts'
import type { Size } from '#wasm/imaging/geometry.ts'
import { photoOfRaster } from '#wasm/imaging/orientation.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'
import type { Runtime } from '#wasm/runtime/runtime.ts'

await buildModels()
const runtime = await openRuntime()
let runs = 0
let pixels = 0
/** Replaces an output of a network. */
let spoil = (value: number) => value
const counted: Runtime = {
  async session(model) {
    const session = await runtime.session(model)
    return {
      ...session,
      async run(inputs) {
        const [count = 0, , height = 0, width = 0] = Object.values(inputs)[0]!.dims
        runs++
        pixels += count * height * width
        const outputs = await session.run(inputs)
        for (const values of Object.values(outputs)) values.set(values.map(spoil))
        return outputs
      },
    }
  },
}
const onet = await openOnet(counted, readModel, STANDARD.landmarks)
const detector = await openDetector(counted, readModel, STANDARD.detector, onet)

/** The faces on a picture, and the number of network runs and pixels. */
async function seen(picture: Sharp, wanted: WantedFaces = 'all') {
  runs = 0
  pixels = 0
  const { faces, limited } = await detector.detect(await photoOf(picture), undefined, wanted)
  return { faces, limited, runs, pixels }
}

async function photoOf(picture: Sharp) {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return photoOfRaster({ data, width: info.width, height: info.height })
}

/** Head and shoulders of one person, `side` pixels. */
const portrait = async (side: number) =>
  sharp(await threePeople())
    .extract({ left: 1266, top: 43, width: 600, height: 600 })
    .resize(side, side)

/** A person down to the waist with a face of `side` pixels. */
async function personPhoto(side: number) {
  const [, face] = THREE_FACES
  const scale = side / (face!.x2 - face!.x1)
  return sharp(await threePeople())
    .extract({ left: 300, top: 250, width: 430, height: 500 })
    .resize(Math.round(430 * scale))
    .png()
    .toBuffer()
}

async function onGrey(size: Size, pictures: OverlayOptions[]) {
  const canvas = sharp({ create: { ...size, channels: 3, background: 'grey' } })
  return sharp(await canvas.composite(pictures).png({ compressionLevel: 1 }).toBuffer())
}

it.each([300, 600, 1000, 1600])(
  'detect takes one pass and one run of O-Net for a portrait of %i pixels',
  async side => {
    const { faces, runs } = await seen(await portrait(side))
    expect({ faces: faces.length, runs }).toEqual({ faces: 1, runs: 2 })
  },
)

it('detect of a frame takes the larger pass alone for a face that the smaller pass leaves unsure', async () => {
  const frame = sharp(await threePeople())
    .extract({ left: 193, top: 250, width: 640, height: 360 })
    .resize(1280, 720)
  expect(await seen(frame, 'clear')).toMatchObject({ runs: 2, faces: { length: 1 } })
})

it('detect finds small faces beside a portrait in a second pass, and skips this pass for the biggest face', async () => {
  const people = await sharp(await threePeople())
    .resize(560)
    .png()
    .toBuffer()
  const near = await (await portrait(1000)).png().toBuffer()
  const photo = await onGrey({ width: 1800, height: 1000 }, [
    { input: near, left: 0, top: 0 },
    { input: people, left: 1030, top: 300 },
  ])
  const all = await seen(photo)
  expect(all).toMatchObject({ limited: false, faces: { length: 4 } })
  const biggest = await seen(photo, 'biggest')
  expect(biggest.runs).toBeLessThan(all.runs)
  expect(shorterSide(biggest.faces[0]!.box)).toBeGreaterThan(250)
})

it('detect of a photo that is upside down finds its faces, and reads no raster after its successor was asked for', async () => {
  const photo = await photoOf(
    sharp(await sample(4))
      .resize(800)
      .rotate(180),
  )
  let current = photo
  /** As a decoder does that gives the memory to the next photo. */
  const sharper = async () => {
    const data = Uint8Array.from(current.raster.data)
    current.raster.data.fill(0)
    current = photoOfRaster({ ...photo.raster, data })
    return current
  }
  const { faces } = await detector.detect(photo, sharper)
  expect(faces).toHaveLength(4)
  for (const { points } of faces) expect(points![0]!.y).toBeGreaterThan(points![4]!.y)
})

it('detect of a crowd stays within the pixel budget of P-Net and the candidates of R-Net and O-Net', async () => {
  const small = await personPhoto(120)
  const crowd = times(60, i => ({
    input: small,
    left: 10 + (i % 10) * 395,
    top: 5 + Math.floor(i / 10) * 490,
  }))
  const { pixels, faces } = await seen(await onGrey({ width: 4000, height: 3000 }, crowd))
  expect(faces.length).toBeGreaterThan(30)
  expect(pixels).toBeLessThan(2 * PHOTO_LIMITS.detectionPixels + 400 * 24 ** 2 + 200 * 48 ** 2)
})

it('detect of a tight crop that fills the photo finds one face', async () => {
  const { x1, y1, x2, y2 } = THREE_FACES[1]!
  const crop = sharp(await threePeople()).extract({ left: x1, top: y1, width: x2 - x1, height: y2 - y1 })
  const { faces } = await seen(crop.resize(1000))
  expect(faces).toHaveLength(1)
})

it('detect of a photo without faces runs only P-Net, and the overview at each quarter', async () => {
  const { faces, pixels } = await seen(
    sharp({ create: { width: 4000, height: 3000, channels: 3, background: 'grey' } }),
  )
  expect(faces).toEqual([])
  expect(pixels).toBeLessThan(4 * (128 ** 2 + 256 ** 2) + 1.25 * PHOTO_LIMITS.detectionPixels)
})

const face = (side: number, score: number, x = 0): Detection => ({
  box: { x1: x, y1: 0, x2: x + side, y2: side },
  score,
})

describe('isOverviewEnough', () => {
  const portrait = face(300, 0.9)
  const photo = { width: 1000, height: 1000 }

  it.each([
    { what: 'a large and sure face', seen: [portrait], all: true, biggest: true },
    { what: 'noise beside a sure face', seen: [portrait, face(50, 0.15, 600)], all: true, biggest: true },
    {
      what: 'a small weak detection beside it',
      seen: [portrait, face(50, 0.2, 600)],
      all: false,
      biggest: true,
    },
    {
      what: 'a weak detection of half its side beside it',
      seen: [portrait, face(150, 0.2, 600)],
      all: false,
      biggest: false,
    },
    {
      what: 'a weak detection that is as large inside the photo as a sure face',
      seen: [face(300, 0.9, -225), face(150, 0.2, 600)],
      all: false,
      biggest: false,
    },
    { what: 'a small face', seen: [face(150, 0.9)], all: false, biggest: false },
    { what: 'no detection', seen: [], all: false, biggest: false },
  ])('returns for $what: $all for all faces, $biggest for the biggest', ({ seen, all, biggest }) => {
    expect(isOverviewEnough(seen, 10, { wanted: 'all', photo })).toBe(all)
    expect(isOverviewEnough(seen, 10, { wanted: 'biggest', photo })).toBe(biggest)
  })
})

it('detect ends with finite boxes, whatever numbers the networks return', {
  tags: 'long',
  timeout: 900_000,
}, async () => {
  const number = fc.oneof(fc.double(), fc.integer({ min: -40, max: 40 }))
  const property = fc.asyncProperty(fc.array(number, { minLength: 1 }), async numbers => {
    let turn = 0
    spoil = () => numbers[turn++ % numbers.length]!
    const { faces } = await seen(await portrait(80))
    for (const { box } of faces) expect(Object.values(box).every(Number.isFinite)).toBe(true)
  })
  await fc.assert(property, { numRuns: Number(process.env.MIEN_BROKEN_PHOTOS ?? 12) })
})
