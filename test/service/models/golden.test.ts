/** Each built network has the outputs of its source in TensorFlow.js, on squeezed photos. */
import { readFile } from 'node:fs/promises'
import * as ort from 'onnxruntime-node'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { dot, unitVector } from '#core/vector-store/unit-vector.ts'
import { readModel } from '#models/files.ts'
import { inputLength, writeInput } from '#models/input.ts'
import { type BlazefaceModel, embedderSide, type ModelInput, STANDARD } from '#models/manifest.ts'
import { DLIB_PACK } from '#models/packs.ts'
import { readSsd } from '#wasm/detectors/blazeface/ssd.ts'
import { tfjsBlazeface, tfjsEmotion, tfjsFaceApi, tfjsMobileFaceNet } from './tfjs.ts'

const TOLERANCE = 1e-4
const PHOTOS = ['sample1.jpg', 'sample2.jpg', 'sample3.jpg']
const PHOTO = 'sample1.jpg'
const EMBEDDER_SOURCE = new URL(
  '../../../node_modules/faceplugin-face-recognition-js/model/fr_feature.onnx',
  import.meta.url,
)
const FOLDER = new URL('../../../node_modules/@vladmandic/face-api/demo/', import.meta.url)

/** A photo scaled to a square without regard to its proportions, as RGB. */
async function square(photo: string, side: number): Promise<Uint8Array> {
  const image = sharp(await readFile(new URL(photo, FOLDER)))
  return new Uint8Array(await image.resize(side, side, { fit: 'fill' }).removeAlpha().raw().toBuffer())
}

/** Runs a built model on one square picture. */
async function onnx(file: string, input: ModelInput, pixels: Uint8Array, side: number) {
  const session = await ort.InferenceSession.create(await readModel(file))
  const tensor = new Float32Array(inputLength(side, side))
  writeInput(input, pixels, side, tensor)
  const outputs = await session.run({ [input.name]: new ort.Tensor('float32', tensor, [1, 3, side, side]) })
  return (name: string) => outputs[name]!.data as Float32Array
}

/** The greatest error: absolute for values up to 1, relative above. */
function greatestError(actual: Float32Array, expected: Float32Array): number {
  expect(actual.length).toBe(expected.length)
  const errors = Array.from(
    expected,
    (value, i) => Math.abs(actual[i]! - value) / Math.max(1, Math.abs(value)),
  )
  return Math.max(...errors)
}

describe('a built network compared with its source', () => {
  it('BlazeFace has equal scores and boxes of every anchor', async () => {
    const { file, input } = STANDARD.detector
    const pixels = await square(PHOTO, 256)
    const actual = await onnx(file, input, pixels, 256)
    const source = await tfjsBlazeface()
    const names = ['fine_scores', 'coarse_scores', 'fine_boxes', 'coarse_boxes']
    const sourceNames = ['Identity', 'Identity_1', 'Identity_2', 'Identity_3']
    const expected = source(
      Float32Array.from(pixels, value => value / 127.5 - 1),
      sourceNames,
    )
    for (const [i, name] of names.entries()) {
      expect(greatestError(actual(name), expected[i]!), name).toBeLessThan(TOLERANCE)
    }
  })

  it('SSD has equal scores and boxes of the finest anchors after readSsd', { tags: 'long' }, async () => {
    const { closer } = STANDARD.detector as BlazefaceModel
    const side = 512
    const pixels = await square(PHOTO, side)
    const answer = await onnx(closer!.file, closer!.input, pixels, side)
    const found = readSsd({ scores: answer('scores'), boxes: answer('boxes') }, side, Number.MIN_VALUE)
    expect(found).toHaveLength(3 * (side / 16) ** 2)
    const expected = await (await tfjsFaceApi()).ssd(pixels)
    const corners = found.flatMap(({ box: { x1, y1, x2, y2 } }) => [y1, x1, y2, x2])
    const actual = Float32Array.from(corners, value => value / side)
    expect(greatestError(actual, expected.boxes.subarray(0, actual.length))).toBeLessThan(TOLERANCE)
    const scores = Float32Array.from(found, ({ score }) => score)
    expect(greatestError(scores, expected.scores.subarray(0, scores.length))).toBeLessThan(TOLERANCE)
  })

  it('the landmark network has equal landmarks', async () => {
    const { file, input, size, output } = STANDARD.landmarks
    const pixels = await square(PHOTO, size)
    const actual = await onnx(file, input, pixels, size)
    const source = await tfjsFaceApi()
    expect(greatestError(actual(output), await source.landmarks(pixels))).toBeLessThan(TOLERANCE)
  })

  it('the dlib embedder has equal embeddings', async () => {
    const { networks, chip } = DLIB_PACK.embedder
    const { file, input, output } = networks[0]!
    const pixels = await square(PHOTO, chip.size)
    const actual = await onnx(file, input, pixels, chip.size)
    const source = await tfjsFaceApi()
    expect(greatestError(actual(output), await source.embedding(pixels))).toBeLessThan(TOLERANCE)
  })

  it('the attribute network has equal ages and genders', async () => {
    const { file, input, size, outputs } = STANDARD.attributes.ageGender
    const pixels = await square(PHOTO, size)
    const actual = await onnx(file, input, pixels, size)
    const expected = await (await tfjsFaceApi()).ageGender(pixels)
    expect(greatestError(actual(outputs.age), expected.age)).toBeLessThan(TOLERANCE)
    expect(greatestError(actual(outputs.gender), expected.gender)).toBeLessThan(TOLERANCE)
  })

  it('the emotion network has equal probabilities', async () => {
    const { file, input, size, output } = STANDARD.attributes.emotion
    const pixels = await square(PHOTO, size)
    const actual = await onnx(file, input, pixels, size)
    const source = await tfjsEmotion()
    const [expected] = source(greyAsHuman(pixels), ['Identity'])
    expect(greatestError(actual(output), expected!)).toBeLessThan(TOLERANCE)
  })
})

it('the first embedder keeps the cosines of its source, which has 512 dimensions and a batch size of 1', async () => {
  const { networks, chip } = STANDARD.embedder
  const { file, input, output, dimension } = networks[0]!
  const side = embedderSide(chip)
  const length = inputLength(side, side)
  const tensor = new Float32Array(PHOTOS.length * length)
  for (const [i, photo] of PHOTOS.entries())
    writeInput(input, await square(photo, side), side, tensor, { offset: i * length })
  /** Unit embeddings of a network with this number of dimensions. */
  const embedded = async (network: Uint8Array, numbers: number, data: Float32Array) => {
    const session = await ort.InferenceSession.create(network)
    const dims = [data.length / length, 3, side, side]
    const outputs = await session.run({ [input.name]: new ort.Tensor('float32', data, dims) })
    const all = outputs[output]!.data as Float32Array
    expect(all).toHaveLength(numbers * (data.length / length))
    return Array.from({ length: all.length / numbers }, (_, i) =>
      unitVector(all.subarray(i * numbers, (i + 1) * numbers)),
    )
  }
  const source = new Uint8Array(await readFile(EMBEDDER_SOURCE))
  const own = await embedded(await readModel(file), dimension, tensor)
  const theirs = await Promise.all(
    PHOTOS.map(async (_, i) => (await embedded(source, 512, tensor.slice(i * length, (i + 1) * length)))[0]!),
  )
  expectEqualCosines(own, theirs, 1e-3)
})

it('the second embedder keeps the cosines of its source, which has 192 dimensions', async () => {
  const { networks, chip } = STANDARD.embedder
  const { file, input, output } = networks[1]!
  const side = embedderSide(chip)
  const source = await tfjsMobileFaceNet()
  const own: Float32Array[] = []
  const theirs: Float32Array[] = []
  for (const photo of PHOTOS) {
    const pixels = await square(photo, side)
    own.push(unitVector((await onnx(file, input, pixels, side))(output)))
    theirs.push(unitVector(source(Float32Array.from(pixels, value => (value - 127.5) / 128))))
  }
  expectEqualCosines(own, theirs, 2e-4)
})

/** Compares the cosines of all pairs of three photos. */
function expectEqualCosines(own: readonly Float32Array[], theirs: readonly Float32Array[], least: number) {
  for (const [i, j] of [
    [0, 1],
    [0, 2],
    [1, 2],
  ] as const)
    expect(Math.abs(dot(own[i]!, own[j]!, 0) - dot(theirs[i]!, theirs[j]!, 0))).toBeLessThan(least)
}

/** RGB 0..255 to grey -1..1, with the steps of human's src/gear/emotion.ts. */
const greyAsHuman = (pixels: Uint8Array): Float32Array =>
  Float32Array.from({ length: pixels.length / 3 }, (_, i) => {
    const [red, green, blue] = pixels.subarray(3 * i, 3 * i + 3)
    return ((0.2989 * red! + 0.587 * green! + 0.114 * blue!) / 255 - 0.5) * 2
  })
