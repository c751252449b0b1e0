/** The analysis of photos: faces, chips, refusals; and generated pictures without faces. */

import sharp from 'sharp'
import { pixelsOf } from '#bench/lib/faces/analysis.ts'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { area, type Box, height, overlap, partOn, shorterSide, width } from '#contract/model/bbox.ts'
import type { Selection } from '#contract/model/photo-analysis.ts'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import { times } from '#test/support/times.ts'
import { openTestModels, THREE_FACES, threePeople } from '#test/support/vision.ts'
import { ExceedsDecodeLimits } from '#wasm/decode/budget.ts'
import type { WantedFaces } from '#wasm/detectors/detection.ts'
import { analyzeFrame, analyzePhoto, type Stage } from '#wasm/pipeline.ts'
import { difference, storedAs } from '../../unit/wasm/decode/samples.ts'

const models = await openTestModels()
const OPTIONS = { maxBytes: 56 * 2 ** 20, param: 'photo' }
const select = (selector: Selection['selector'], ...boxes: Box[]): Selection => ({ selector, boxes })
const analyze = (photo: Uint8Array, selection?: Selection) => analyzePhoto(models, photo, selection, OPTIONS)

/** Greatest mean difference (0..255) of two chips of one face from slightly different boxes. */
const SAME_CHIP = 10

/** The same for a face that is rotated on the photo; chips of different people differ by 40 and more. */
const ASLANT = 18

/** Fails unless the boxes match the expected ones, in order. */
function expectFaces(found: readonly Box[], expected: readonly Box[], least = 0.8) {
  expect(found.length).toBe(expected.length)
  for (const [i, box] of found.entries()) expect(overlap(box, expected[i]!)).toBeGreaterThan(least)
}

const grey = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'grey' } })

/** A face of `threePeople` with its surroundings, from `margin` of the box before its left and upper side, enlarged. */
async function partOfThree(box: Box, margin: number, scale: number) {
  const [across, down] = [width(box), height(box)]
  const part = {
    left: Math.round(box.x1 - margin * across),
    top: Math.round(box.y1 - margin * down),
    width: Math.round((1.8 + margin) * across),
    height: Math.round((1.8 + margin) * down),
  }
  return sharp(await threePeople())
    .extract(part)
    .resize(Math.round(scale * part.width))
    .png()
    .toBuffer()
}

describe('analyzePhoto', () => {
  it('finds every face, in reading order and with whole pixels', async () => {
    const { faces, selected, orientation } = await analyze(await threePeople())
    expect(orientation).toBe(1)
    expect(selected).toEqual([])
    expectFaces(faces, THREE_FACES)
    for (const value of faces.flatMap(Object.values)) expect(Number.isInteger(value)).toBe(true)
  })

  it.each([
    ['to the left', { x1: -60, y1: 0, x2: 0, y2: 60 }],
    ['below', { x1: 0, y1: 600, x2: 60, y2: 660 }],
  ])('refuses a box that lies %s of the upright photo, naming its parameter', async (_, box) => {
    // Stored rotated: 600 x 400 pixels that are 400 x 600 upright.
    const photo = new Uint8Array(await grey(600, 400).withMetadata({ orientation: 6 }).jpeg().toBuffer())
    const refused = analyze(photo, { ...select('all', box), boxesParam: 'bbox2' })
    await expect(refused).rejects.toMatchObject({ code: 'BAD_PARAM', detail: { param: 'bbox2', value: box } })
    const inside = {
      x1: box.x1 - Math.sign(box.x1),
      y1: box.y1 - Math.sign(box.y1),
      x2: box.x2 + 1,
      y2: box.y2 + 1,
    }
    expect((await analyze(photo, select('all', inside))).selected).toHaveLength(1)
  })

  it('selects a whole face, not one with a larger box that the corner of the photo cuts off', async () => {
    const [girl, man] = THREE_FACES
    const input = await partOfThree(girl!, 0.8, 1.31)
    const cutOff = await partOfThree(man!, -0.3, 1.7)
    const photo = grey(1000, 800).composite([
      { input: cutOff, left: 0, top: 0 },
      { input, left: 420, top: 300 },
    ])
    const bytes = new Uint8Array(await photo.jpeg().toBuffer())
    const { faces, selected } = await analyze(bytes, select('biggest'))
    expect(area(faces[0]!)).toBeGreaterThan(area(faces[1]!))
    expect(selected.map(({ box }) => box)).toEqual(faces.slice(1))
    const given = await analyze(bytes, { ...select('all', ...faces), quality: true })
    const sizes = faces.map(box => shorterSide(partOn(box, { width: 1000, height: 800 })))
    expect(given.selected.map(({ quality }) => quality!.size)).toEqual(sizes)
    expect(sizes[0]).toBeLessThan(shorterSide(faces[0]!))
  })

  it('keeps the boxes and the order of the request, and cuts the same chips from them', async () => {
    const { faces, selected } = await analyze(await threePeople(), select('all'))
    const boxes = faces.toReversed()
    const given = await analyze(await threePeople(), select('reject', ...boxes))
    expect(given.faces).toEqual(boxes)
    expect(given.selected.map(({ box }) => box)).toEqual(boxes)
    for (const [i, { chip }] of given.selected.toReversed().entries()) {
      expect(difference(chip, selected[i]!.chip)).toBeLessThan(SAME_CHIP)
    }
  })
})

const upright = threePeople().then(photo => analyze(photo, select('all')))

it.each([6, 7])(
  'analyzePhoto of a rotated photo gives the same boxes and chips for EXIF orientation %i',
  async orientation => {
    const stored = storedAs(await threePeople(), orientation).withMetadata({ orientation })
    const seen = await analyze(new Uint8Array(await stored.jpeg({ quality: 95 }).toBuffer()), select('all'))
    const expected = await upright
    expect(seen.orientation).toBe(orientation)
    expectFaces(seen.faces, expected.faces, 0.9)
    for (const [i, { chip }] of seen.selected.entries()) {
      expect(difference(chip, expected.selected[i]!.chip)).toBeLessThan(SAME_CHIP)
    }
  },
)

it('gives upright chips of tilted heads, detected or given by box', async () => {
  const photo = await threePeople()
  const aslant = await sharp(photo).rotate(20, { background: 'black' }).jpeg({ quality: 95 }).toBuffer()
  const upright = (await analyze(photo, select('all'))).selected
  const found = (await analyze(new Uint8Array(aslant), select('all'))).selected
  const boxes = found.map(({ box }) => box)
  const given = (await analyze(new Uint8Array(aslant), select('all', ...boxes))).selected
  for (const { chip } of upright) {
    const closest = (faces: typeof found) => Math.min(...faces.map(face => difference(face.chip, chip)))
    expect(closest(found)).toBeLessThan(ASLANT)
    expect(closest(given)).toBeLessThan(ASLANT)
  }
})

it.each([90, 270])('gives upright chips of a photo that is turned by %i degrees', async turn => {
  const photo = await threePeople()
  const upright = (await analyze(photo, select('all'))).selected
  const turned = new Uint8Array(await sharp(photo).rotate(turn).jpeg({ quality: 95 }).toBuffer())
  const { orientation, selected } = await analyze(turned, { ...select('all'), quality: true })
  expect([orientation, selected.length]).toEqual([1, 3])
  for (const { chip, quality } of selected) {
    expect(Math.min(...upright.map(face => difference(face.chip, chip)))).toBeLessThan(ASLANT)
    expect(Math.abs(((quality!.roll - turn + 540) % 360) - 180)).toBeLessThan(45)
  }
})

describe('analyzePhoto of large photos and small faces', () => {
  /** The three people in the corner of a large grey photo, with faces of about `side` pixels. */
  const smallIn = async (side: number, canvas: number) => {
    const people = sharp(await threePeople()).resize({ width: Math.round((1920 * side) / 175) })
    const input = await people.toBuffer()
    return new Uint8Array(
      await grey(canvas, canvas)
        .composite([{ input, left: 40, top: 40 }])
        .jpeg({ quality: 95 })
        .toBuffer(),
    )
  }

  it('decodes the photo again at a larger scale when a chip needs more pixels than the detector', async () => {
    const stages: Stage[] = []
    const around = <Result>(stage: Stage, work: () => Promise<Result>) => {
      stages.push(stage)
      return work()
    }
    const photo = await smallIn(175, 2000)
    const { selected } = await analyzePhoto(models, photo, select('all'), { ...OPTIONS, wrapStage: around })
    // The overview, the second pass, and the chips.
    expect(stages.filter(stage => stage === 'decode')).toHaveLength(3)
    const { selected: direct } = await analyze(await threePeople(), select('all'))
    for (const [i, { chip }] of selected.entries()) {
      expect(difference(chip, direct[i]!.chip)).toBeLessThan(SAME_CHIP)
    }
  })

  it(`reports no face smaller than ${PHOTO_LIMITS.detectedFaceSide} pixels, and boxes of at least ${PHOTO_LIMITS.faceSide}`, async () => {
    expect((await analyze(await smallIn(34, 600))).faces).toEqual([])
    const { faces } = await analyze(await smallIn(44, 800))
    expect(faces).toHaveLength(3)
    expect(Math.min(...faces.map(shorterSide))).toBe(PHOTO_LIMITS.faceSide)
  })

  it('refuses to decode beyond its budget', async () => {
    const looking = analyzePhoto(models, await threePeople(), undefined, { ...OPTIONS, maxBytes: 2 ** 20 })
    await expect(looking).rejects.toThrow(ExceedsDecodeLimits)
  })
})

describe('a face that is too poor to recognise', async () => {
  // The biggest face, without detail.
  const { x1: left, y1: top, ...poor } = THREE_FACES[2]!
  const region = { left, top, width: poor.x2 - left, height: poor.y2 - top }
  const people = Buffer.from(await threePeople())
  const flat = await sharp(people).extract(region).blur(20).png().toBuffer()
  const picture = sharp(people).composite([{ input: flat, left, top }])
  const photo = new Uint8Array(await picture.jpeg().toBuffer())

  /** Analyses the photo with a detector that finds the faces at these places, and with `biggest` only the poor one. */
  const seeing = (places: readonly number[], asked: WantedFaces[] = []) => {
    const detector = {
      ...models.detector,
      async detect(_: unknown, __: unknown, wanted: WantedFaces = 'all') {
        asked.push(wanted)
        const seen = wanted === 'biggest' ? [2] : places
        const faces = seen.map(i => ({ box: THREE_FACES[i]!, score: i === 2 ? 0.5 : 0.99 }))
        return { faces, tooSmall: [], limited: false }
      },
    }
    return { ...models, detector }
  }
  const analyzed = (places: readonly number[], selection?: Selection, asked?: WantedFaces[]) =>
    analyzePhoto(seeing(places, asked), photo, selection, OPTIONS)
  const boxes = (faces: readonly { box: Box }[]) => faces.map(({ box }) => box)

  it.each([
    ['all', [0, 1, 2], [0, 1]],
    ['reject', [1, 2], [1]],
  ] as const)('is left out and counted by %s', async (selector, places, taken) => {
    const { faces, selected, tooPoor } = await analyzed(places, select(selector))
    expect(faces).toEqual(places.map(i => THREE_FACES[i]))
    expect(boxes(selected)).toEqual(taken.map(i => THREE_FACES[i]))
    expect(tooPoor).toBe(1)
  })

  it('hides no smaller face from biggest: the photo is searched in full', async () => {
    const asked: WantedFaces[] = []
    const { faces, selected, tooPoor } = await analyzed([0, 1, 2], select('biggest'), asked)
    expect(asked).toEqual(['biggest', 'all'])
    expect(boxes(selected)).toEqual([THREE_FACES[1]])
    expect([faces.length, tooPoor]).toEqual([3, 1])
  })

  it.each(['all', 'biggest', 'reject'] as const)('alone is no face for %s', async selector => {
    await expect(analyzed([2], select(selector))).rejects.toMatchObject({
      code: 'NO_FACES',
      detail: { reason: expect.stringContaining('1 face is too poor to recognise') },
    })
  })

  it('is listed by detection, with its quality, and taken by its box', async () => {
    for (const selection of [select('any'), select('all', THREE_FACES[2]!)]) {
      const { selected, tooPoor } = await analyzed([2], { ...selection, quality: true })
      expect(selected[0]!.quality!.quality).toBeLessThan(0.05)
      expect(tooPoor).toBe(0)
    }
    expect((await analyzed([2])).faces).toHaveLength(1)
  })

  it('is left out of frames of a video', async () => {
    const frame = await pixelsOf(sharp(photo))
    const found = await analyzeFrame(seeing([0, 1, 2]), frame, { leastSide: 50, wanted: 'all' })
    expect(boxes(found)).toEqual(THREE_FACES.slice(0, 2))
  })
})

const WIDTH = 900
const HEIGHT = 600

type Random = () => number

const between = (random: Random, least: number, most: number) => least + random() * (most - least)

/** Skin-coloured ovals on a plain background. */
function ovals(random: Random) {
  const skin = () => `hsl(${between(random, 12, 32)},45%,${between(random, 30, 80)}%)`
  const shapes = times(8, () => {
    const rx = between(random, 25, 110)
    return `<ellipse cx="${between(random, 0, WIDTH)}" cy="${between(random, 0, HEIGHT)}" rx="${rx}" ry="${rx * 1.3}" fill="${skin()}"/>`
  })
  const size = `width="${WIDTH}" height="${HEIGHT}"`
  return sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${shapes.join('')}</svg>`),
  ).flatten({ background: 'grey' })
}

/** Noise with a grain from one pixel to clouds. */
function noise(random: Random) {
  const grain = 2 ** Math.floor(between(random, 0, 7))
  const [width, height] = [Math.ceil(WIDTH / grain), Math.ceil(HEIGHT / grain)]
  const data = Uint8Array.from({ length: width * height * 3 }, () => random() * 256)
  return sharp(data, { raw: { width, height, channels: 3 } }).resize(WIDTH, HEIGHT, { kernel: 'cubic' })
}

it('analyzePhoto finds no face on pictures of noise and skin-coloured ovals', { tags: 'long' }, async () => {
  for (let seed = 0; seed < 6; seed++) {
    const picture = [noise, ovals][seed % 2]!(seededRandom(seed))
    const photo = new Uint8Array(await picture.jpeg({ quality: 90 }).toBuffer())
    const { faces, reason } = await analyze(photo)
    expect({ seed, faces, reason }).toEqual({ seed, faces: [], reason: undefined })
  }
})
