/** Each built network has the outputs of its source in TensorFlow.js, on squeezed photos. */
import { readFile } from 'node:fs/promises'
import * as ort from 'onnxruntime-node'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { dot, unitVector } from '#core/vector-store/unit-vector.ts'
import { readModel } from '#models/files.ts'
import { inputLength, writeInput } from '#models/input.ts'
import { embedderSide, type ModelInput, STANDARD } from '#models/manifest.ts'
import { probability } from '#wasm/detectors/detection.ts'
import { tfjsBlazeface, tfjsEmotion, tfjsFaceApi, tfjsLite } from './tfjs.ts'

const TOLERANCE = 1e-4
/** For MTCNN, whose weights have 16 and 8 bits instead of 32. */
const COMPACT_TOLERANCE = 5e-3
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

  it.each([
    { network: 'P-Net', source: 'pnet', side: 64 },
    { network: 'R-Net', source: 'rnet', side: 24 },
    { network: 'O-Net', source: 'onet', side: 48 },
  ] as const)('$network has equal scores, boxes and points', async ({ source, side }) => {
    const pixels = await square(PHOTO, side)
    const actual = await onnx(`${source}.onnx`, STANDARD.landmarks.input, pixels, side)
    // The source takes x as the first axis, and gives the probabilities of background and face.
    const [scores, ...others] = (await tfjsLite(source))(
      Float32Array.from(withColumnsFirst(pixels, side), value => (value - 127.5) / 128),
      side,
    )
    const faces = scores!.filter((_, i) => i % 2 === 1)
    const columns = Math.sqrt(faces.length)
    /** Cells of the source are channels last with x first. */
    const upright = (values: Float32Array) =>
      values.map((_, i) => {
        const [channel, cell] = [Math.floor(i / faces.length), i % faces.length]
        const turned = (cell % columns) * columns + Math.floor(cell / columns)
        return values[turned * (values.length / faces.length) + channel]!
      })
    expect(greatestError(actual('scores').map(probability), upright(faces))).toBeLessThan(COMPACT_TOLERANCE)
    for (const [i, name] of ['boxes', 'points'].slice(0, others.length).entries())
      expect(greatestError(actual(name), upright(others[i]!)), name).toBeLessThan(COMPACT_TOLERANCE)
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
  const source = await tfjsLite('MobileFaceNet')
  const own: Float32Array[] = []
  const theirs: Float32Array[] = []
  for (const photo of PHOTOS) {
    const pixels = await square(photo, side)
    own.push(unitVector((await onnx(file, input, pixels, side))(output)))
    const [vector] = source(
      Float32Array.from(pixels, value => (value - 127.5) / 128),
      side,
    )
    theirs.push(unitVector(vector!))
  }
  expectEqualCosines(own, theirs, 2e-4)
})

/** The columns of a square RGB picture as rows. */
const withColumnsFirst = (pixels: Uint8Array, side: number): Uint8Array =>
  pixels.map((_, at) => {
    const [cell, channel] = [Math.floor(at / 3), at % 3]
    return pixels[((cell % side) * side + Math.floor(cell / side)) * 3 + channel]!
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
