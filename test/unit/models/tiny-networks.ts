/** Networks of a few nodes with the inputs and outputs of a YuNet and an embedder. */
import { newGraph } from '#models/convert/onnx/onnx.ts'

const HEADS = { cls: 1, obj: 1, bbox: 4, kps: 10 }

/** Output of a tiny YuNet for one cell. */
interface Cell {
  stride: 8 | 16 | 32
  column: number
  row: number
  score: number
  /** In YuNet's encoding and in cells: centre of the box and logarithms of its sides, and five points. */
  box: readonly number[]
  points: readonly number[]
}

/** Outputs of a YuNet for a square picture, zero outside these cells. */
export function yunetOutputs(side: number, cells: readonly Cell[]): Record<string, Float32Array> {
  const outputs: Record<string, Float32Array> = {}
  for (const stride of [8, 16, 32])
    for (const [head, values] of Object.entries(HEADS))
      outputs[`${head}_${stride}`] = new Float32Array(values * (side / stride) ** 2)
  for (const { stride, column, row, score, box, points } of cells) {
    const cell = row * (side / stride) + column
    outputs[`cls_${stride}`]![cell] = score
    outputs[`obj_${stride}`]![cell] = score
    outputs[`bbox_${stride}`]!.set(box, cell * HEADS.bbox)
    outputs[`kps_${stride}`]!.set(points, cell * HEADS.kps)
  }
  return outputs
}

/** ONNX file of a network with these outputs for any picture of this side in pixels. */
export function yunetFile(side: number, cells: readonly Cell[]): Uint8Array<ArrayBuffer> {
  const graph = newGraph('tiny-yunet')
  const ports: Record<string, number[]> = {}
  for (const [name, data] of Object.entries(yunetOutputs(side, cells))) {
    const [head = '', stride] = name.split('_')
    ports[name] = [1, (side / Number(stride)) ** 2, HEADS[head as keyof typeof HEADS]]
    graph.node('Identity', [graph.constant(data, ports[name])], {}, name)
  }
  return new Uint8Array(graph.file({ input: [1, 3, side, side] }, ports))
}

/** A face of 32 pixels in the centre of a picture of 64 pixels. */
export const FACE_IN_THE_MIDDLE: Cell = {
  stride: 32,
  column: 1,
  row: 1,
  score: 0.9,
  box: [0, 0, 0, 0],
  points: [-0.2, -0.15, 0.2, -0.15, 0, 0.05, -0.15, 0.25, 0.15, 0.25],
}

/**
 * ONNX file of an embedder of chips with this side in pixels. The embedding has 48 numbers: the means of 4 x 4 squares of
 * each channel.
 */
export function embedderFile(size: number): Uint8Array<ArrayBuffer> {
  const graph = newGraph('tiny-embedder')
  const quarter = [size / 4, size / 4]
  const means = graph.node('AveragePool', ['chips'], { kernel_shape: quarter, strides: quarter })
  graph.node('Flatten', [means], {}, 'embeddings')
  return new Uint8Array(graph.file({ chips: ['batch', 3, size, size] }, { embeddings: ['batch', 48] }))
}

/** The manifest of a pack with both networks as files. */
export const tinyPack = (name: string) => ({
  files: {
    [`${name}-eyes.onnx`]: { licence: 'none' },
    [`${name}-embedder.onnx`]: { licence: 'none' },
  },
  packs: {
    [name]: {
      detector: {
        file: `${name}-eyes.onnx`,
        kind: 'yunet',
        side: 64,
        fixed: true,
        input: { name: 'input', channels: 'BGR', mean: [0, 0, 0], std: [1, 1, 1] },
      },
      embedder: {
        file: `${name}-embedder.onnx`,
        input: { name: 'chips', channels: 'RGB', mean: [127.5, 127.5, 127.5], std: [127.5, 127.5, 127.5] },
        output: 'embeddings',
        dimension: 48,
        chip: { size: 144, template: 'arcface', margin: 16 },
        calibration: [
          [-1, 0],
          [0.5, 0.7],
          [1, 1],
        ],
      },
    },
  },
})
