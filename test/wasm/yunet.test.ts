/** What YuNet's numbers mean, and the looks that a detector of its kind takes. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { ReadModel, YunetModel } from '../../models/manifest.ts'
import { openDetector } from '../../wasm/detector.ts'
import { uprightPhoto } from '../../wasm/image.ts'
import { openRuntime } from '../../wasm/runtime.node.ts'
import { readYunet } from '../../wasm/yunet.ts'
import { FACE_IN_THE_MIDDLE, yunetFile, yunetOutputs } from '../models/tiny-networks.ts'

const LN2 = Math.log(2)

describe('the answer of the network', () => {
  it('is read cell by cell, row by row, in pixels of the picture', () => {
    const cells = [
      { stride: 8, column: 5, row: 2, score: 0.8, box: [0.5, 0.25, LN2, 0], points: Array(10).fill(0.5) },
      {
        stride: 32,
        column: 0,
        row: 1,
        score: 0.9,
        box: [0, 0, 0, LN2],
        points: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      },
    ] as const
    const found = readYunet(yunetOutputs(64, cells), 64, 0.5)
    expect(found).toHaveLength(2)
    expect(found[0]!.score).toBeCloseTo(0.8)
    expect(found[0]!.box).toEqual({ x1: expect.closeTo(36, 4), y1: 14, x2: expect.closeTo(52, 4), y2: 22 })
    expect(found[0]!.points).toEqual(Array(5).fill({ x: 44, y: 20 }))
    expect(found[1]!.box).toEqual({ x1: -16, y1: expect.closeTo(0, 4), x2: 16, y2: expect.closeTo(64, 4) })
    expect(found[1]!.points![4]).toEqual({ x: 256, y: 320 })
  })

  it('counts for a face by the geometric mean of both scores, each held between 0 and 1', () => {
    const outputs = yunetOutputs(64, [{ ...FACE_IN_THE_MIDDLE, score: 0 }])
    const scores = (classes: number, objects: number) => {
      outputs.cls_32![3] = classes
      outputs.obj_32![3] = objects
      return readYunet(outputs, 64, 0.01).map(({ score }) => score)
    }
    expect(scores(0.4, 0.9)).toEqual([expect.closeTo(0.6)])
    expect(scores(7, 0.25)).toEqual([0.5])
    expect(scores(-1, 1)).toEqual([])
    expect(scores(Number.NaN, 1)).toEqual([])
  })
})

const MODEL: YunetModel = {
  file: 'tiny.onnx',
  kind: 'yunet',
  side: 64,
  fixed: true,
  input: { name: 'input', layout: 'NCHW', channels: 'BGR', mean: [0, 0, 0], std: [1, 1, 1] },
}

const tiny: ReadModel = async () => yunetFile(64, [FACE_IN_THE_MIDDLE])

const blank = (width: number, height: number) =>
  uprightPhoto({ data: new Uint8Array(width * height * 3), width, height })

describe('a detector of this kind', () => {
  it('sees a photo whole, in the middle of its picture', async () => {
    const detector = await openDetector(await openRuntime(), tiny, MODEL)
    const [face] = await detector.detect(blank(200, 100))
    // Half of the photo's longer side, about its middle.
    expect(face!.box).toEqual({ x1: 50, y1: 0, x2: 150, y2: 100 })
    expect(face!.points![0]!.x).toBeCloseTo(80)
    expect(face!.points![0]!.y).toBeCloseTo(35)
  })

  it('leaves out faces that are too small, and does not enlarge photos to find them', async () => {
    const detector = await openDetector(await openRuntime(), tiny, MODEL)
    expect(await detector.detect(blank(60, 60))).toEqual([])
  })

  it('looks at tiles of a photo on which the smallest faces would otherwise be too small', async () => {
    // In tiles of 64 pixels the other face would reach their edges, where faces are taken to be cut off.
    const small = { ...FACE_IN_THE_MIDDLE, box: [0, 0, Math.log(0.5), Math.log(0.5)] }
    const read: ReadModel = async () => yunetFile(64, [small])
    const detector = await openDetector(await openRuntime(), read, MODEL)
    const whole = await detector.detect(blank(250, 250))
    expect(whole).toHaveLength(1)
    const tiled = await detector.detect(blank(600, 300))
    const pixel = 50 / 12
    const sides = tiled.map(({ box }) => box.x2 - box.x1)
    expect(Math.max(...sides)).toBeCloseTo((600 / 64) * 16)
    expect(Math.min(...sides)).toBeCloseTo(pixel * 16)
    expect(tiled.length).toBeGreaterThan(3)
    for (const { box } of tiled)
      expect(box.y1 >= 0 && box.x1 >= 0 && box.x2 <= 600 && box.y2 <= 300).toBe(true)
  })
})

it.each([
  { side: 250, scale: 64 / 250 },
  { side: 600, scale: 12 / 50 },
  { side: 60, scale: 1 },
])(
  'asks for a raster of a photo of $side pixels that its finest picture has use for',
  async ({ side, scale }) => {
    const detector = await openDetector(await openRuntime(), tiny, MODEL)
    const asked: number[] = []
    const photo = blank(side, side)
    const sharper = async (wanted: number) => {
      asked.push(wanted)
      return photo
    }
    await (detector.detect as (...values: [typeof photo, typeof sharper]) => Promise<unknown>)(photo, sharper)
    expect(asked).toEqual([expect.closeTo(scale)])
  },
)

const REFERENCE = new URL('../../../shared/models/reference/', import.meta.url)
const reference = (file: string) =>
  readFile(new URL(file, REFERENCE)).then(
    bytes => new Uint8Array(bytes),
    () => undefined,
  )

describe.each([
  { file: 'yunet_n_dynamic.onnx', fixed: false },
  { file: 'yunet_n_640_640.onnx', fixed: true },
])('the real network of $file', async ({ file, fixed }) => {
  const bytes = await reference(file)

  it.skipIf(!bytes)('finds the three people, their eyes above their mouths', async () => {
    const { threePeople, THREE_FACES } = await import('./seeing.ts')
    const { loadCodecs } = await import('../../wasm/decode/codecs.node.ts')
    const { decode } = await import('../../wasm/decode/decode.ts')
    const { readHeader } = await import('../../wasm/decode/header.ts')
    const photo = await threePeople()
    const decoded = await decode(photo, readHeader(photo), loadCodecs(), { scale: 0.5, budget: 2 ** 30 })
    const read: ReadModel = async () => bytes!
    const detector = await openDetector(await openRuntime(), read, { ...MODEL, fixed, side: 640 })
    const found = await detector.detect(decoded)
    expect(found).toHaveLength(THREE_FACES.length)
    for (const { box, points } of found) {
      const [rightEye, leftEye, nose, mouth] = points!
      expect(rightEye!.x).toBeLessThan(leftEye!.x)
      expect(rightEye!.y).toBeLessThan(nose!.y)
      expect(nose!.y).toBeLessThan(mouth!.y)
      for (const { x, y } of points!) expect(x > box.x1 && x < box.x2 && y > box.y1 && y < box.y2).toBe(true)
    }
  })
})
