/** How many looks a photo takes, and that the first is not the last where there is more to see. */
import sharp, { type OverlayOptions, type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { area, overlap } from '../../core/contract/bbox.ts'
import { LIMITS } from '../../core/contract/limits.ts'
import { buildModels } from '../../models/build.ts'
import { readModel } from '../../models/files.ts'
import { type BlazefaceModel, STANDARD } from '../../models/manifest.ts'
import type { Wanted } from '../../wasm/detection.ts'
import { openDetector } from '../../wasm/detector.ts'
import { type Photo, uprightPhoto } from '../../wasm/image.ts'
import type { Size } from '../../wasm/pictures.ts'
import { openRuntime } from '../../wasm/runtime.node.ts'
import { THREE_FACES, threePeople } from './seeing.ts'

await buildModels()
const runtime = await openRuntime()
let runs = 0
let pixels = 0
const detector = await openDetector(
  {
    async session(model) {
      const session = await runtime.session(model)
      return {
        run(inputs) {
          runs++
          const [, , height = 0, width = 0] = Object.values(inputs)[0]!.dims
          pixels += height * width
          return session.run(inputs)
        },
      }
    },
  },
  readModel,
  STANDARD.detector,
)

/** The faces on a picture, how many pictures the networks were shown, and how many pixels these had. */
async function seen(picture: Sharp, wanted: Wanted = 'all') {
  runs = 0
  pixels = 0
  const faces = await detector.detect(await photoOf(picture), undefined, wanted)
  return { faces, runs, pixels }
}

async function photoOf(picture: Sharp): Promise<Photo> {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return uprightPhoto({ data, width: info.width, height: info.height })
}

/** Head and shoulders of one person. */
const portrait = async (side: number) =>
  sharp(await threePeople())
    .extract({ left: 1266, top: 43, width: 600, height: 600 })
    .resize(side, side)

it.each([300, 600, 1000])('a portrait of %i pixels takes one look', async side => {
  const { faces, runs } = await seen(await portrait(side))
  expect({ faces: faces.length, runs }).toEqual({ faces: 1, runs: 1 })
})

it('a portrait with small faces beside it takes more, and all are found', async () => {
  const people = await sharp(await threePeople())
    .resize(750)
    .png()
    .toBuffer()
  const canvas = sharp({ create: { width: 1800, height: 1000, channels: 3, background: 'grey' } })
  const picture = canvas.composite([
    { input: await (await portrait(1000)).png().toBuffer(), left: 0, top: 0 },
    { input: people, left: 1030, top: 300 },
  ])
  const { faces, runs } = await seen(sharp(await picture.png().toBuffer()))
  expect(runs).toBeGreaterThan(2)
  expect(faces).toHaveLength(4)
})

/** Somebody whose face is `side` pixels wide, to the waist. */
async function somebody(side: number): Promise<Buffer> {
  const [, face] = THREE_FACES
  const scale = side / (face!.x2 - face!.x1)
  return sharp(await threePeople())
    .extract({ left: 300, top: 250, width: 430, height: 500 })
    .resize(Math.round(430 * scale))
    .png()
    .toBuffer()
}

/** A portrait, and somebody behind it whose face is `side` pixels wide. */
async function portraitBefore({ width, height, side }: { width: number; height: number; side: number }) {
  const near = await (await portrait(height * 0.8)).png().toBuffer()
  return onGrey({ width, height }, [
    { input: near, left: 0, top: height * 0.2 },
    { input: await somebody(side), left: width * 0.8, top: height * 0.2 },
  ])
}

async function onGrey(size: Size, pictures: OverlayOptions[]): Promise<Sharp> {
  const canvas = sharp({ create: { ...size, channels: 3, background: 'grey' } })
  return sharp(await canvas.composite(pictures).png({ compressionLevel: 1 }).toBuffer())
}

it.each([
  { what: '3 Mpx', width: 2000, height: 1500, side: 80 },
  { what: '7 Mpx', width: 3000, height: 2250, side: 60 },
  { what: '12 Mpx', width: 4000, height: 3000, side: 60 },
  { what: '24 Mpx', width: 6000, height: 4000, side: 75 },
])(
  'somebody far behind a portrait of $what is found, though at first sight there is no sign of them',
  async photo => {
    const { faces } = await seen(await portraitBefore(photo))
    expect(faces).toHaveLength(2)
  },
)

describe('on a photo of 12 Mpx', () => {
  const size = { width: 4000, height: 3000 }

  it('closer looks are at windows around the signs, not at all of it', async () => {
    const { runs, pixels: shown } = await seen(await portraitBefore({ ...size, side: 60 }))
    expect(runs).toBeGreaterThan(4)
    expect(shown).toBeLessThan(LIMITS.detectionPixels / 2)
  })

  it('a large and sure face is told just as without closer looks', async () => {
    const { closer: _, ...model } = STANDARD.detector as BlazefaceModel
    const withoutCloser = await openDetector(runtime, readModel, model)
    const photo = await photoOf(
      await onGrey(size, [
        { input: await somebody(420), left: 400, top: 1000 },
        { input: await somebody(60), left: 3200, top: 600 },
      ]),
    )
    const [face, ...others] = await withoutCloser.detect(photo)
    expect(others).toEqual([])
    const told = await detector.detect(photo)
    expect(told).toHaveLength(2)
    expect(told.map(({ box }) => box)).toContainEqual(face!.box)
  })

  it('no closer look is taken where there is nobody and no sign of anybody', async () => {
    const { faces, runs } = await seen(sharp({ create: { ...size, channels: 3, background: 'grey' } }))
    expect({ faces: faces.length, runs }).toEqual({ faces: 0, runs: 4 })
  })

  it('nobody looks for those behind where only the biggest face is wanted', async () => {
    const photo = await portraitBefore({ ...size, side: 60 })
    const all = await seen(photo)
    const biggest = await seen(photo, 'biggest')
    expect(biggest.runs).toBeLessThan(4)
    const [face] = all.faces.toSorted((a, b) => area(b.box) - area(a.box))
    expect(biggest.faces).toHaveLength(1)
    expect(overlap(biggest.faces[0]!.box, face!.box)).toBeGreaterThan(0.95)
  })

  it('three people tell how large faces are there', async () => {
    const { faces, runs } = await seen(sharp(await threePeople()).resize(size.width))
    expect({ faces: faces.length, runs }).toEqual({ faces: 3, runs: 3 })
  })
})
