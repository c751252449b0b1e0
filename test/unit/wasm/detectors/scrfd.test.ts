/** SCRFD: the reading of its outputs, and a detector on a tiny network. */
import { describe, expect, it } from 'vitest'
import { newGraph } from '#models/convert/onnx/onnx.ts'
import { DetectorSchema, type ScrfdModel } from '#models/manifest.ts'
import { openDetector } from '#wasm/detectors/detector.ts'
import { scrfdReader } from '#wasm/detectors/scrfd.ts'
import { uprightPhoto } from '#wasm/imaging/image.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'

/** A manifest entry. Exporters name the outputs by numbers. */
const MODEL = DetectorSchema.parse({
  file: 'tiny.onnx',
  kind: 'scrfd',
  input: { name: 'input.1', channels: 'RGB', mean: [127.5, 127.5, 127.5], std: [128, 128, 128] },
  outputs: { scores: ['448', '471', '494'], boxes: ['451', '474', '497'], points: ['454', '477', '500'] },
}) as ScrfdModel

const VALUES = { scores: 1, boxes: 4, points: 10 } as const

/** Outputs for a square tile with a face at the second anchor of column 1, row 1 of the coarsest grid. */
function outputsOf(side: number): Record<string, Float32Array> {
  const outputs: Record<string, Float32Array> = {}
  for (const kind of ['scores', 'boxes', 'points'] as const)
    for (const [grid, stride] of [8, 16, 32].entries())
      outputs[MODEL.outputs[kind][grid]!] = new Float32Array(2 * VALUES[kind] * (side / stride) ** 2)
  const anchor = 2 * (side / 32 + 1) + 1
  outputs['494']![anchor] = 0.9
  outputs['497']!.set([0.5, 0.25, 0.5, 0.75], 4 * anchor)
  outputs['500']!.set([-0.25, 0, 0.25, 0, 0, 0.25, -0.125, 0.5, 0.125, 0.5], 10 * anchor)
  return outputs
}

describe('scrfdReader', () => {
  it('reads the distances to the edges and five points of an anchor, relative to the corner of its cell', () => {
    expect(scrfdReader(MODEL)(outputsOf(96), 96, 0.5)).toEqual([
      {
        score: expect.closeTo(0.9),
        box: { x1: 16, y1: 24, x2: 48, y2: 56 },
        points: [
          { x: 24, y: 32 },
          { x: 40, y: 32 },
          { x: 32, y: 40 },
          { x: 28, y: 48 },
          { x: 36, y: 48 },
        ],
      },
    ])
  })
})

/** A network for one picture size with these outputs for any picture. */
function scrfdFile(side: number): Uint8Array<ArrayBuffer> {
  const graph = newGraph('tiny-scrfd')
  const ports: Record<string, number[]> = {}
  const perAnchor = new Map(
    (['scores', 'boxes', 'points'] as const).flatMap(kind =>
      MODEL.outputs[kind].map(name => [name, VALUES[kind]] as const),
    ),
  )
  for (const [name, data] of Object.entries(outputsOf(side))) {
    const values = perAnchor.get(name)!
    ports[name] = [data.length / values, values]
    graph.node('Identity', [graph.constant(data, ports[name])], {}, name)
  }
  return new Uint8Array(graph.file({ 'input.1': [1, 3, side, side] }, ports))
}

it('openDetector with SCRFD returns the face and its points in pixels of the photo', async () => {
  const fixed = { ...MODEL, side: 64, fixed: true }
  const detector = await openDetector(await openRuntime(), async () => scrfdFile(64), fixed)
  const photo = uprightPhoto({ data: new Uint8Array(256 * 256 * 3), width: 256, height: 256 })
  const { faces, limited } = await detector.detect(photo)
  expect(limited).toBe(false)
  expect(faces).toHaveLength(1)
  expect(faces[0]!.box).toEqual({ x1: 64, y1: 96, x2: 192, y2: 224 })
  expect(faces[0]!.points![0]).toEqual({ x: 96, y: 128 })
})
