/** Both builds of the kernels for binary codes are bitwise equal to the plain implementations. */

import fc from 'fast-check'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import { times } from '#test/support/times.ts'
import {
  codeBytes,
  GREATEST_ENTRY,
  GROUP_ROWS,
  groupBytes,
  type KernelBuild,
  ROW_ZERO,
  rotatedValues,
  rotationFactors,
} from '#wasm/kernels/kernels.ts'
import {
  dimensions,
  type ExpectedCode,
  expectedCode,
  expectedScore,
  KernelMemory,
  kinds,
  plainRotation,
  rowBytes,
  rowCode,
  type Scoring,
  unitVectors,
} from './oracle.ts'

const MIDDLE = 8_192
const WORK = 12_288
const CODE = 16_384
const TABLE = 20_480
const FACTORS = 32_768
const GROUPS = 65_536
const FOUND = 8 * 65_536

const BUILDS: KernelBuild[] = ['simd', 'relaxed']

class Bench extends KernelMemory {
  readonly words = new Int32Array(this.memory.buffer)

  /** Reads the code of a row from its lane. */
  lane(row: number, values: number): ExpectedCode {
    const group = GROUPS + Math.floor(row / GROUP_ROWS) * groupBytes(values)
    const [lane, factors] = [row % GROUP_ROWS, group + 4 * values]
    const bits = times(values, i => {
      const byte = this.bytes[group + 16 * Math.floor(i / 4) + (lane % 16)]!
      return (byte >> ((lane < 16 ? 0 : 4) + (i % 4))) & 1
    })
    const offset = (this.bytes[factors + GROUP_ROWS + lane]! << 24) >> 24
    return { bits, factor: this.bytes[factors + lane]!, offset }
  }

  /** Writes the codes of rows into consecutive lanes. */
  layGroups(rows: readonly ExpectedCode[], values: number) {
    this.bytes.fill(0xff, GROUPS, GROUPS + Math.ceil(rows.length / GROUP_ROWS) * groupBytes(values))
    for (const [row, { bits, factor, offset }] of rows.entries()) {
      const group = GROUPS + Math.floor(row / GROUP_ROWS) * groupBytes(values)
      const [lane, factors] = [row % GROUP_ROWS, group + 4 * values]
      for (const [i, bit] of bits.entries()) {
        const mask = 1 << ((lane < 16 ? 0 : 4) + (i % 4))
        const at = group + 16 * Math.floor(i / 4) + (lane % 16)
        this.bytes[at] = bit ? this.bytes[at]! | mask : this.bytes[at]! & ~mask
      }
      this.bytes[factors + lane] = factor
      this.bytes[factors + GROUP_ROWS + lane] = offset
    }
  }
}

const factorsOf = (values: number, seed: number) => rotationFactors(values, seededRandom(seed))

describe.each(BUILDS)('kernels for binary codes, build %s', build => {
  it('rotate equals the plain rotation, and scales all lengths by the same factor', async () => {
    const bench = await Bench.open(build)
    fc.assert(
      fc.property(dimensions, kinds, fc.nat(), (dimension, kind, seed) => {
        const values = rotatedValues(dimension)
        const vector = unitVectors(dimension, kind, seed)()
        const factors = factorsOf(values, seed)
        bench.floats.fill(0, WORK / 4, WORK / 4 + values).set(vector, WORK / 4)
        bench.floats.set(factors, FACTORS / 4)
        bench.kernels.rotate(WORK, values, FACTORS)
        const rotated = bench.floats.slice(WORK / 4, WORK / 4 + values)
        // The sign of zero is not preserved.
        const unsigned = (values: Float32Array) => values.map(value => value + 0)
        expect(unsigned(rotated)).toEqual(unsigned(plainRotation(vector, factors, values)))
        expect(Math.hypot(...rotated) / Math.sqrt(values)).toBeCloseTo(1, 5)
      }),
      { numRuns: 20 },
    )
  })

  it('encodeBinary writes the plain code of each row into its lane', async () => {
    const bench = await Bench.open(build)
    const counts = fc.integer({ min: 1, max: 3 })
    const likeness = fc.constantFrom(0, 0.5, 1, 40)
    fc.assert(
      fc.property(dimensions, kinds, counts, likeness, fc.nat(), (dimension, kind, count, like, seed) => {
        const [values, bytes] = [rotatedValues(dimension), codeBytes(dimension)]
        const next = unitVectors(dimension, kind, seed)
        const factors = factorsOf(values, seed)
        const middle = plainRotation(next(), factors, values).map(value => Math.fround(value * like))
        bench.floats.set(factors, FACTORS / 4)
        bench.floats.set(middle, MIDDLE / 4)
        const rows = times(count, () => rowCode(next()))
        const lanes = rows.map((_, i) => (7 * i + seed) % GROUP_ROWS)
        for (const [i, row] of rows.entries()) {
          bench.bytes.set(rowBytes(row), CODE)
          bench.kernels.encodeBinary(
            CODE,
            bytes,
            ROW_ZERO,
            row.step,
            FACTORS,
            MIDDLE,
            values,
            WORK,
            GROUPS,
            lanes[i]!,
          )
        }
        for (const [i, row] of rows.entries()) {
          expect(bench.lane(lanes[i]!, values)).toEqual(expectedCode(row, factors, middle))
        }
      }),
      { numRuns: 20 },
    )
  })

  it('prefilter returns exactly the codes above the bar, in order, with their plain scores', async () => {
    const bench = await Bench.open(build)
    const counts = fc.integer({ min: 0, max: 100 })
    const parts = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(dimensions, counts, fc.nat(), parts, fc.boolean(), (dimension, count, seed, part, full) => {
        const values = rotatedValues(dimension)
        const random = seededRandom(seed)
        const below = (end: number) => Math.floor(random() * end)
        const shift = 1 + Math.floor(Math.log2(32_767 / ((values / 4) * GREATEST_ENTRY)))
        const scoring: Scoring = {
          // `full` tests the greatest sums.
          table: Uint8Array.from({ length: 4 * values }, () =>
            full ? GREATEST_ENTRY : below(GREATEST_ENTRY + 1),
          ),
          shift,
          bias: ((values / 4) * GREATEST_ENTRY * 2 ** shift) / 2,
          offsetScale: below(32_768),
        }
        const rows = times(count, () => ({
          bits: times(values, () => below(2)),
          factor: below(256),
          offset: below(255) - 127,
        }))
        const scores = rows.map(row => expectedScore(row, scoring))
        const bar = scores.toSorted((a, b) => a - b)[Math.floor(part * count)] ?? -32_768
        bench.layGroups(rows, values)
        bench.bytes.set(scoring.table, TABLE)
        const { bias, offsetScale } = scoring
        const found = bench.kernels.prefilter(
          GROUPS,
          count,
          values,
          TABLE,
          shift,
          bias,
          offsetScale,
          bar,
          FOUND,
        )
        const pairs = times(found, i => [bench.words[FOUND / 4 + 2 * i], bench.words[FOUND / 4 + 2 * i + 1]])
        expect(pairs).toEqual([...scores.entries()].filter(([, score]) => score > bar))
      }),
      { numRuns: 20 },
    )
  })
})
