/**
 * Each built network has the outputs of its source on squeezed photos. golden.json has the outputs of the sources: TensorFlow.js
 * 4.22, and ONNX Runtime for the first embedder. test/service/models/tfjs.ts of commit febb9a88 ran them.
 */
import { readFile } from 'node:fs/promises'
import * as ort from 'onnxruntime-node'
import sharp from 'sharp'
import { dot, unitVector } from '#core/vector-store/unit-vector.ts'
import { readModel } from '#models/files.ts'
import { inputLength, writeInput } from '#models/input.ts'
import { embedderSide, type ModelInput, STANDARD } from '#models/manifest.ts'
import { probability } from '#wasm/detectors/detection.ts'
import GOLDEN from './golden.json' with { type: 'json' }

const TOLERANCE = 1e-4
/** For MTCNN, whose weights have 16 and 8 bits instead of 32. */
const COMPACT_TOLERANCE = 5e-3
/** Of the cosines of two photos, by embedder. The first one has 128 of the 512 dimensions of its source. */
const COSINE_TOLERANCES = [1e-3, 2e-4]

const PHOTOS = ['sample1.jpg', 'sample2.jpg', 'sample3.jpg']
const FOLDER = new URL('../../../node_modules/@vladmandic/face-api/demo/', import.meta.url)

const { detector, landmarks, attributes, embedder } = STANDARD
const EMOTION = attributes.emotion.file

/** Input and side of the networks in golden.json. */
const INPUTS: Record<string, { input: ModelInput; side: number; tolerance: number }> = {
  [detector.file]: { input: detector.input, side: 256, tolerance: TOLERANCE },
  'pnet.onnx': { input: landmarks.input, side: 64, tolerance: COMPACT_TOLERANCE },
  'rnet.onnx': { input: landmarks.input, side: 24, tolerance: COMPACT_TOLERANCE },
  'onet.onnx': { input: landmarks.input, side: 48, tolerance: COMPACT_TOLERANCE },
  [attributes.ageGender.file]: {
    input: attributes.ageGender.input,
    side: attributes.ageGender.size,
    tolerance: TOLERANCE,
  },
  [EMOTION]: { input: attributes.emotion.input, side: attributes.emotion.size, tolerance: TOLERANCE },
}

/** Photos scaled to squares without regard to their proportions, as one batch. */
async function batchOf(photos: readonly string[], input: ModelInput, side: number): Promise<ort.Tensor> {
  const length = inputLength(side, side)
  const tensor = new Float32Array(photos.length * length)
  for (const [i, photo] of photos.entries()) {
    const image = sharp(await readFile(new URL(photo, FOLDER)))
    const pixels = await image.resize(side, side, { fit: 'fill' }).removeAlpha().raw().toBuffer()
    writeInput(input, new Uint8Array(pixels), side, tensor, { offset: i * length })
  }
  return new ort.Tensor('float32', tensor, [photos.length, 3, side, side])
}

const run = async (file: string, input: ModelInput, side: number, photos: readonly string[]) =>
  (await ort.InferenceSession.create(await readModel(file))).run({
    [input.name]: await batchOf(photos, input, side),
  })

/** At most 250 values at even distances. The odd step reaches every part of a box. */
function sampled(values: Float32Array) {
  const step = Math.ceil(values.length / 250) | 1
  return values.filter((_, i) => i % step === 0)
}

it.each(GOLDEN.networks)('$file has the outputs of its source', async ({ file, outputs }) => {
  const { input, side, tolerance } = INPUTS[file]!
  const found = await run(file, input, side, PHOTOS.slice(0, 1))
  for (const [name, expected] of Object.entries(outputs) as [string, number[]][]) {
    const values = sampled(found[name]!.data as Float32Array)
    // The sources of MTCNN give probabilities.
    const actual = input === landmarks.input && name === 'scores' ? values.map(probability) : values
    expect(actual.length).toBe(expected.length)
    // Absolute for values up to 1, relative above.
    const errors = expected.map((value, i) => Math.abs(actual[i]! - value) / Math.max(1, Math.abs(value)))
    expect(Math.max(...errors), name).toBeLessThan(tolerance)
  }
})

it.each([0, 1])('embedder %i keeps the cosines of its source', async number => {
  const { file, input, output, dimension } = embedder.networks[number]!
  const { data } = (await run(file, input, embedderSide(embedder.chip), PHOTOS))[output]!
  const units = PHOTOS.map((_, i) =>
    unitVector((data as Float32Array).subarray(i * dimension, (i + 1) * dimension)),
  )
  const pairs = [
    [0, 1],
    [0, 2],
    [1, 2],
  ] as const
  for (const [i, [a, b]] of pairs.entries())
    expect(Math.abs(dot(units[a]!, units[b]!, 0) - GOLDEN.cosines[number]![i]!)).toBeLessThan(
      COSINE_TOLERANCES[number]!,
    )
})
