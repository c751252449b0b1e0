/** One photo in three formats: equal faces and equal confidences. */
import sharp, { type Sharp } from 'sharp'
import { afterAll, expect, it } from 'vitest'
import { sample } from '#bench/harness/client.ts'
import { apart, openTestModels } from '#bench/harness/vision.ts'
import { cosineScale } from '#core/calibration/scale.ts'
import { openEmbedder } from '#core/embedding/embedder.ts'
import { compare } from '#core/operations/compare.ts'
import { analyzePhoto } from '#wasm/pipeline.ts'

/** Greatest distance of boxes as a share of their side, or 2 pixels; and greatest difference of confidences (cosines). */
const MOST_APART = 0.03
const MOST_UNSURE = 0.02

const models = await openTestModels()
const embedder = await openEmbedder({ threads: 1 })
afterAll(() => embedder.close())
const parts = { embed: embedder.embed, scale: cosineScale(score => score) }

/** Widths of the photo in pixels. */
const SIZES = [700, 1237, 1920]

const FORMATS = [
  { format: 'JPEG', save: (image: Sharp) => image.jpeg({ quality: 95 }) },
  {
    format: 'progressive JPEG',
    save: (image: Sharp) => image.jpeg({ quality: 95, progressive: true }),
  },
  { format: 'lossy WEBP', save: (image: Sharp) => image.webp({ quality: 95, effort: 0 }) },
  { format: 'lossless WEBP', save: (image: Sharp) => image.webp({ lossless: true, effort: 0 }) },
]

async function analyzed(bytes: Uint8Array) {
  const options = { maxBytes: 2 ** 30, param: 'photo' }
  const { selected } = await analyzePhoto(
    models,
    new Uint8Array(bytes),
    { selector: 'all', boxes: [] },
    options,
  )
  return { boxes: selected.map(({ box }) => box), chips: selected.map(({ chip }) => chip) }
}

it.each(SIZES)(
  'analyzePhoto finds the same faces in a PNG, JPEG and WEBP that is %i pixels wide',
  { tags: 'long', timeout: 120_000 },
  async width => {
    const png = await sharp(await sample(1))
      .resize(width)
      .png()
      .toBuffer()
    const plain = await analyzed(png)
    const { confidences: expected } = await compare(parts, plain.chips, plain.chips)
    expect(plain.boxes.length).toBeGreaterThan(1)
    for (const { format, save } of FORMATS) {
      const other = await analyzed(await save(sharp(png)).toBuffer())
      expect(other.boxes, format).toHaveLength(plain.boxes.length)
      for (const [i, box] of plain.boxes.entries())
        expect(apart(box, other.boxes[i]!), `${format}, face ${i}`).toBeLessThanOrEqual(
          Math.max(2, MOST_APART * (box.x2 - box.x1)),
        )
      const { confidences } = await compare(parts, plain.chips, other.chips)
      for (const [i, row] of confidences.entries())
        for (const [j, confidence] of row.entries())
          expect(Math.abs(confidence - expected[i]![j]!), `${format}, ${i} and ${j}`).toBeLessThan(
            MOST_UNSURE,
          )
    }
  },
)
