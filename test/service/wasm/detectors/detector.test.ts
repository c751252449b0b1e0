/** The standard detector on whole photos: the number of passes, their cost, and the detected faces. */
import sharp, { type OverlayOptions, type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { THREE_FACES, threePeople } from '#bench/harness/vision.ts'
import { buildModels } from '#commands/build/models.ts'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { shorterSide } from '#contract/model/bbox.ts'
import { readModel } from '#models/files.ts'
import { STANDARD } from '#models/manifest.ts'
import type { WantedFaces } from '#wasm/detectors/detection.ts'
import { openDetector } from '#wasm/detectors/detector.ts'
import type { Size } from '#wasm/imaging/geometry.ts'
import { type Photo, uprightPhoto } from '#wasm/imaging/image.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'

await buildModels()
const runtime = await openRuntime()
let runs = 0
let pixels = 0
const detector = await openDetector(
  {
    async session(model) {
      const session = await runtime.session(model)
      return {
        ...session,
        run(inputs) {
          const [, , height = 0, width = 0] = Object.values(inputs)[0]!.dims
          runs++
          pixels += height * width
          return session.run(inputs)
        },
      }
    },
  },
  readModel,
  STANDARD.detector,
)

/** The faces on a picture, and the number of network runs and pixels. */
async function seen(picture: Sharp, wanted: WantedFaces = 'all') {
  runs = 0
  pixels = 0
  const { faces, limited } = await detector.detect(await photoOf(picture), undefined, wanted)
  return { faces, limited, runs, pixels }
}

async function photoOf(picture: Sharp): Promise<Photo> {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return uprightPhoto({ data, width: info.width, height: info.height })
}

/** Head and shoulders of one person, `side` pixels. */
const portrait = async (side: number) =>
  sharp(await threePeople())
    .extract({ left: 1266, top: 43, width: 600, height: 600 })
    .resize(side, side)

/** A person down to the waist with a face of `side` pixels. */
async function somebody(side: number): Promise<Buffer> {
  const [, face] = THREE_FACES
  const scale = side / (face!.x2 - face!.x1)
  return sharp(await threePeople())
    .extract({ left: 300, top: 250, width: 430, height: 500 })
    .resize(Math.round(430 * scale))
    .png()
    .toBuffer()
}

async function onGrey(size: Size, pictures: OverlayOptions[]): Promise<Sharp> {
  const canvas = sharp({ create: { ...size, channels: 3, background: 'grey' } })
  return sharp(await canvas.composite(pictures).png({ compressionLevel: 1 }).toBuffer())
}

it.each([300, 600, 1000])('detect takes one pass for a portrait of %i pixels', async side => {
  const { faces, runs } = await seen(await portrait(side))
  expect({ faces: faces.length, runs }).toEqual({ faces: 1, runs: 1 })
})

it.each([1000, 4000])('detect takes at most two runs for a group on a photo %i pixels wide', async width => {
  const { faces, runs } = await seen(sharp(await threePeople()).resize(width))
  expect({ faces: faces.length, runs: runs <= 2 }).toEqual({ faces: 3, runs: true })
})

it('detect finds small faces beside a portrait in a second pass, which it skips for the biggest face', async () => {
  const people = await sharp(await threePeople())
    .resize(560)
    .png()
    .toBuffer()
  const near = await (await portrait(1000)).png().toBuffer()
  const photo = await onGrey({ width: 1800, height: 1000 }, [
    { input: near, left: 0, top: 0 },
    { input: people, left: 1030, top: 300 },
  ])
  expect(await seen(photo)).toMatchObject({ runs: 3, limited: false, faces: { length: 4 } })
  const biggest = await seen(photo, 'biggest')
  expect(biggest.runs).toBeLessThan(3)
  expect(shorterSide(biggest.faces[0]!.box)).toBeGreaterThan(250)
})

describe('detect of small faces on a large photo', () => {
  const size = { width: 4000, height: 3000 }

  it('finds faces in tiles near uncertain detections of the second pass', async () => {
    const small = await somebody(75)
    const near = { left: 3200, top: 600 }
    const photo = await onGrey(size, [
      { input: small, ...near },
      { input: await somebody(80), left: 500, top: 1900 },
    ])
    const { faces, runs } = await seen(photo)
    expect(runs).toBeGreaterThan(3)
    expect(faces).toHaveLength(2)
  })

  it('stays within the pixel budget for any number of faces', async () => {
    const small = await somebody(70)
    const crowd = Array.from({ length: 60 }, (_, i) => ({
      input: small,
      left: 40 + (i % 10) * 390,
      top: 20 + Math.floor(i / 10) * 480,
    }))
    const { pixels, limited, faces } = await seen(await onGrey(size, crowd))
    expect(limited).toBe(true)
    expect(faces.length).toBeGreaterThan(0)
    expect(pixels).toBeLessThan(1.3 * (PHOTO_LIMITS.detectionPixels + PHOTO_LIMITS.closerPixels))
  })
})

it('detect of a photo without faces takes only passes over the whole photo', async () => {
  const { faces, runs } = await seen(
    sharp({ create: { width: 4000, height: 3000, channels: 3, background: 'grey' } }),
  )
  expect({ faces, runs }).toEqual({ faces: [], runs: 3 })
})
