/** Each built network gives what its source gives under TensorFlow.js, on pieces of real photos. */
import { readFile } from 'node:fs/promises'
import * as ort from 'onnxruntime-node'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { readModel } from '../../models/files.ts'
import { inputLength, writeInput } from '../../models/input.ts'
import { type ModelInput, STANDARD } from '../../models/manifest.ts'
import { tfjsBlazeface, tfjsFaceApi } from './tfjs.ts'

const TOLERANCE = 1e-4
const PHOTOS = [1, 2, 3].map(
  n => new URL(`../../node_modules/@vladmandic/face-api/demo/sample${n}.jpg`, import.meta.url).pathname,
)

/** A photo squeezed into a square, as RGB. */
const square = async (photo: string, side: number): Promise<Uint8Array> =>
  new Uint8Array(
    await sharp(await readFile(photo))
      .resize(side, side, { fit: 'fill' })
      .removeAlpha()
      .raw()
      .toBuffer(),
  )

/** Runs a built model on one square picture. */
async function onnx(file: string, input: ModelInput, pixels: Uint8Array, side: number) {
  const session = await ort.InferenceSession.create(await readModel(file))
  const tensor = new Float32Array(inputLength(side, side))
  writeInput(input, pixels, side, tensor)
  const outputs = await session.run({ [input.name]: new ort.Tensor('float32', tensor, [1, 3, side, side]) })
  return (name: string) => outputs[name]!.data as Float32Array
}

/** The greatest difference, relative to the size of the numbers where they are above 1. */
function greatestError(actual: Float32Array, expected: Float32Array): number {
  expect(actual.length).toBe(expected.length)
  return expected.reduce((worst, value, i) => {
    return Math.max(worst, Math.abs(actual[i]! - value) / Math.max(1, Math.abs(value)))
  }, 0)
}

describe('a built network equals its source', () => {
  it.each(PHOTOS)('BlazeFace, scores and boxes of every anchor: %s', async photo => {
    const { file, input } = STANDARD.detector
    const pixels = await square(photo, 256)
    const actual = await onnx(file, input, pixels, 256)
    const source = await tfjsBlazeface()
    const outputs = source(
      Float32Array.from(pixels, value => value / 127.5 - 1),
      ['Identity', 'Identity_1', 'Identity_2', 'Identity_3'],
    )
    for (const [i, name] of ['fine_scores', 'coarse_scores', 'fine_boxes', 'coarse_boxes'].entries()) {
      expect(greatestError(actual(name), outputs[i]!), name).toBeLessThan(TOLERANCE)
    }
  })

  it.each(PHOTOS)('the landmarks, with the pixels normalised by us: %s', async photo => {
    const { file, input, size, output } = STANDARD.landmarks
    const pixels = await square(photo, size)
    const actual = await onnx(file, input, pixels, size)
    const source = await tfjsFaceApi()
    expect(greatestError(actual(output), await source.landmarks(pixels))).toBeLessThan(TOLERANCE)
  })

  it.each(PHOTOS)('the embedding, with the pixels normalised by us: %s', async photo => {
    const { file, input, chip, output } = STANDARD.embedder
    const pixels = await square(photo, chip.size)
    const actual = await onnx(file, input, pixels, chip.size)
    const source = await tfjsFaceApi()
    expect(greatestError(actual(output), await source.embedding(pixels))).toBeLessThan(TOLERANCE)
  })
})
