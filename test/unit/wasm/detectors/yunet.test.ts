/** YuNet: the reading of its outputs, and its detector. */

import type { ReadModel, YunetModel } from '#models/manifest.ts'
import { times } from '#test/support/times.ts'
import { openDetector } from '#wasm/detectors/detector.ts'
import { readYunet } from '#wasm/detectors/yunet.ts'
import { photoOfRaster } from '#wasm/imaging/orientation.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'
import { FACE_IN_THE_MIDDLE, yunetFile, yunetOutputs } from '../../models/tiny-networks.ts'

const LN2 = Math.log(2)

describe('readYunet', () => {
  it('reads boxes and points of cells in row-major order, in pixels of the picture', () => {
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

  it('scores a face by the geometric mean of both scores, each clamped to 0..1', () => {
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

/** YuNet judges faces itself. */
const ONET = undefined as never

const tiny: ReadModel = async () => yunetFile(64, [FACE_IN_THE_MIDDLE])

const blank = (width: number, height: number) =>
  photoOfRaster({ data: new Uint8Array(width * height * 3), width, height })

describe('openDetector with YuNet', () => {
  it('detects on the whole photo, centred in the input', async () => {
    const detector = await openDetector(await openRuntime(), tiny, MODEL, ONET)
    const { faces } = await detector.detect(blank(200, 100))
    const [face] = faces
    // Half of the photo's longer side, around its centre.
    expect(face!.box).toEqual({ x1: 50, y1: 0, x2: 150, y2: 100 })
    expect(face!.points![0]!.x).toBeCloseTo(80)
    expect(face!.points![0]!.y).toBeCloseTo(35)
  })

  it('bounds the faces of a photo that is full of them before their comparison, and says so', async () => {
    const side = 288
    const cells = times((side / 8) ** 2, (i): typeof FACE_IN_THE_MIDDLE => ({
      ...FACE_IN_THE_MIDDLE,
      stride: 8,
      column: i % (side / 8),
      row: Math.floor(i / (side / 8)),
      // The mean of the first and the third box is the second face, too: the thousand that are kept become one less.
      score: [1, 0.98, 0.96][i] ?? 0.9,
      box: [[0, -3 / 8, -13 / 8][i] ?? 0, 0, 0, 0],
    }))
    const eager: ReadModel = async () => yunetFile(side, cells)
    const detector = await openDetector(await openRuntime(), eager, { ...MODEL, side }, ONET, {
      leastSide: 8,
    })
    const { faces, limited } = await detector.detect(blank(side, side))
    expect(cells).toHaveLength(1_296)
    expect(faces).toHaveLength(999)
    expect(limited).toBe(true)
  })
})
