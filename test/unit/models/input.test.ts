import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inputLength, writeInput } from '#models/input.ts'

const PLAIN: Parameters<typeof writeInput>[0] = { channels: 'RGB', mean: [0, 0, 0], std: [1, 1, 1] }

/** Two rows of three pixels: red counts from 0, green from 100, blue from 200. */
const PIXELS = Uint8Array.from({ length: 18 }, (_, i) => Math.floor(i / 3) + 100 * (i % 3))

it('writeInput writes one plane per channel', () => {
  const tensor = new Float32Array(inputLength(3, 2))
  writeInput(PLAIN, PIXELS, 3, tensor)
  expect([...tensor]).toEqual([0, 1, 2, 3, 4, 5, 100, 101, 102, 103, 104, 105, 200, 201, 202, 203, 204, 205])
})

it('writeInput applies the mean in the order of the channels, BGR too', () => {
  const tensor = new Float32Array(inputLength(3, 2))
  writeInput({ ...PLAIN, channels: 'BGR', mean: [200, 100, 0] }, PIXELS, 3, tensor)
  expect([...tensor]).toEqual([0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5])
})

it('writeInput mirrors left and right only', () => {
  const tensor = new Float32Array(inputLength(3, 2))
  writeInput(PLAIN, PIXELS, 3, tensor, { mirrored: true })
  expect([...tensor.subarray(0, 6)]).toEqual([2, 1, 0, 5, 4, 3])
})

it('writeInput subtracts the mean and divides by the deviation of each channel', () => {
  const tensor = new Float32Array(inputLength(3, 2))
  writeInput({ ...PLAIN, mean: [1, 100, 0], std: [1, 5, 100] }, PIXELS, 3, tensor)
  expect([...tensor.subarray(0, 2), ...tensor.subarray(6, 8), tensor[12]]).toEqual(
    [-1, 0, 0, 0.2, 2].map(Math.fround),
  )
})

it('writeInput writes nothing outside its part of the tensor', () => {
  fc.assert(
    fc.property(fc.nat(20), fc.nat(20), (before, after) => {
      const length = inputLength(3, 2)
      const tensor = new Float32Array(before + length + after).fill(-7)
      writeInput(PLAIN, PIXELS, 3, tensor, { offset: before })
      expect([...tensor].filter(value => value === -7)).toHaveLength(before + after)
      expect(tensor[before]).toBe(0)
    }),
  )
})
