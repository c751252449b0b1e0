import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readWeights, transposed, values, WeightsManifestSchema } from '#models/convert/onnx/weights.ts'

const manifest = WeightsManifestSchema.parse([
  {
    weights: [
      { name: 'small', shape: [2], dtype: 'float32', quantization: { dtype: 'uint8', scale: 0.5, min: -1 } },
      { name: 'plain', shape: [1, 1], dtype: 'float32' },
      { name: 'scalar', shape: [], dtype: 'int32' },
    ],
  },
])
const bytes = Uint8Array.from([0, 4, ...new Uint8Array(Float32Array.of(2.5).buffer), 7, 0, 0, 0])

it('readWeights reads weights in the order of the manifest, and values dequantizes them', () => {
  const weights = readWeights(manifest, bytes)
  expect([...values(weights('small'))]).toEqual([-1, 1])
  expect([...values(weights('plain'))]).toEqual([2.5])
  expect([...values(weights('scalar'))]).toEqual([7])
})

it('readWeights refuses a file of the wrong length, and unknown names', () => {
  expect(() => readWeights(manifest, bytes.subarray(0, 9))).toThrow()
  expect(() => readWeights(manifest, new Uint8Array(11))).toThrow('11')
  expect(() => readWeights(manifest, bytes)('nobody')).toThrow('nobody')
})

it('transposed swaps the two axes of a matrix', () => {
  const weight = { shape: [2, 3], data: Uint8Array.from([1, 2, 3, 4, 5, 6]) }
  expect(transposed(weight, [1, 0])).toEqual({ shape: [3, 2], data: Uint8Array.from([1, 4, 2, 5, 3, 6]) })
})

it('transposed is undone by the inverse order of axes', () => {
  const axes = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 })
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 4, maxLength: 4 }),
      axes,
      (shape, order) => {
        const data = Uint8Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => i)
        const back = order.map((_, axis) => order.indexOf(axis))
        expect(transposed(transposed({ shape, data }, order), back)).toEqual({ shape, data })
      },
    ),
  )
})
