/** Both builds of the kernels compared with plain TypeScript implementations. */

import fc from 'fast-check'
import { times } from '#test/support/times.ts'
import {
  dimensions,
  KernelMemory,
  kinds,
  type PlainCode,
  plainList,
  plainScore,
  probeCode,
  rowBytes,
  rowCode,
  unitVectors,
} from '#test/unit/wasm/kernels/oracle.ts'
import { takesBuild } from '#wasm/kernels/kernels.node.ts'
import {
  codeBytes,
  type KernelBuild,
  PROBE_LEVELS,
  ROW_LEVELS,
  ROW_ZERO,
  TRAILER_BYTES,
} from '#wasm/kernels/kernels.ts'

const VECTOR = 64
const ABOUT = 32
const PROBE = 8192
const FACTORS = 16_384
const DATA = 65_536
const ANSWERS = 8 * 65_536

const BUILDS: KernelBuild[] = ['simd', 'relaxed']

class Bench extends KernelMemory {
  readonly words = new Uint32Array(this.memory.buffer)

  /** Encodes a vector at an address and reads step, residual and sum. */
  encode(vector: Float32Array, levels: number, zero: number, address: number) {
    const bytes = codeBytes(vector.length)
    this.floats.fill(0, VECTOR / 4, VECTOR / 4 + bytes)
    this.floats.set(vector, VECTOR / 4)
    this.kernels.encode(VECTOR, bytes, levels, zero, address, ABOUT)
    const step = this.floats[ABOUT / 4]!
    const residual = Math.sqrt(this.floats[ABOUT / 4 + 1]!)
    return { step, residual, sum: this.words[ABOUT / 4 + 2]! | 0 }
  }

  layRecords(rows: readonly PlainCode[], bytes: number) {
    for (const [i, row] of rows.entries()) {
      const address = DATA + i * (bytes + TRAILER_BYTES)
      this.bytes.set(rowBytes(row), address)
      this.floats[(address + bytes) / 4] = row.step
    }
  }
}

const total = ({ steps }: PlainCode) => steps.reduce((sum, step) => sum + step, 0)

describe.each(BUILDS)('the kernels in the build %s', build => {
  it.skipIf(build === 'relaxed' && !process.versions.node.match(/^2[4-9]/))(
    'are supported by this runtime',
    async () => {
      expect(await takesBuild(build)).toBe(true)
    },
  )

  it('encode vectors as rows and as probes', async () => {
    const bench = await Bench.open(build)
    fc.assert(
      fc.property(dimensions, kinds, fc.nat(), (dimension, kind, seed) => {
        const vector = unitVectors(dimension, kind, seed)()
        const bytes = codeBytes(dimension)
        const row = rowCode(vector)
        const codedRow = bench.encode(vector, ROW_LEVELS, ROW_ZERO, DATA)
        expect(bench.bytes.slice(DATA, DATA + bytes)).toEqual(rowBytes(row))
        expect(codedRow).toMatchObject({ step: row.step, sum: total(row) })
        expect(codedRow.residual).toBeCloseTo(row.residual, 5)
        const probe = probeCode(vector)
        const codedProbe = bench.encode(vector, PROBE_LEVELS, 0, DATA)
        expect(bench.bytes.slice(DATA, DATA + bytes)).toEqual(
          new Uint8Array(Int8Array.from(probe.steps).buffer),
        )
        expect(codedProbe).toMatchObject({ step: probe.step, sum: total(probe) })
      }),
      { numRuns: 30 },
    )
  })

  it('encode zeros as zeros', async () => {
    const bench = await Bench.open(build)
    expect(bench.encode(new Float32Array(16), ROW_LEVELS, ROW_ZERO, DATA)).toEqual({
      step: 0,
      residual: 0,
      sum: 0,
    })
    expect(bench.bytes.slice(DATA, DATA + 16)).toEqual(new Uint8Array(16).fill(ROW_ZERO))
  })

  it('find exactly the records above the limit, with their scores, in order', { tags: 'long' }, async () => {
    const bench = await Bench.open(build)
    const counts = fc.integer({ min: 0, max: 70 })
    fc.assert(
      fc.property(
        dimensions,
        kinds,
        counts,
        fc.nat(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (...given) => {
          const [dimension, kind, count, seed, part] = given
          const bytes = codeBytes(dimension)
          const next = unitVectors(dimension, kind, seed)
          const probe = probeCode(next())
          const rows = times(count, () => rowCode(next()))
          const scores = rows.map(row => plainScore(probe, row))
          // The limit equals one of the scores: that record is not above it.
          const bar = scores.toSorted((a, b) => a - b)[Math.floor(part * count)] ?? Number.NEGATIVE_INFINITY
          bench.bytes.set(Int8Array.from(probe.steps), PROBE)
          bench.layRecords(rows, bytes)
          const shift = ROW_ZERO * total(probe)
          const found = bench.kernels.scan(DATA, count, bytes, PROBE, shift, probe.step, bar, ANSWERS)
          const pairs = times(found, i => [
            (bench.words[ANSWERS / 4 + 2 * i]! - DATA) / (bytes + TRAILER_BYTES),
            bench.floats[ANSWERS / 4 + 2 * i + 1]!,
          ])
          expect(pairs).toEqual([...scores.entries()].filter(([, score]) => score > bar))
        },
      ),
      { numRuns: 30 },
    )
  })

  it('score the greatest codes without overflow', async () => {
    const bench = await Bench.open(build)
    const bytes = 1024
    for (const [probeStep, rowStep] of [
      [PROBE_LEVELS, ROW_LEVELS],
      [-PROBE_LEVELS, ROW_LEVELS],
      [-PROBE_LEVELS, -ROW_LEVELS],
    ] as const) {
      const probe = { steps: new Int32Array(bytes).fill(probeStep), step: 1, residual: 0 }
      bench.bytes.set(Int8Array.from(probe.steps), PROBE)
      bench.layRecords([{ steps: new Int32Array(bytes).fill(rowStep), step: 1, residual: 0 }], bytes)
      const shift = ROW_ZERO * total(probe)
      bench.kernels.scan(DATA, 1, bytes, PROBE, shift, 1, Number.NEGATIVE_INFINITY, ANSWERS)
      expect(bench.floats[ANSWERS / 4 + 1]).toBe(bytes * probeStep * rowStep)
    }
  })

  it('rank float vectors by their dot products', async () => {
    const bench = await Bench.open(build)
    fc.assert(
      fc.property(
        dimensions,
        kinds,
        fc.integer({ min: 0, max: 40 }),
        fc.nat(),
        (dimension, kind, count, seed) => {
          const floats = codeBytes(dimension)
          const next = unitVectors(dimension, kind, seed)
          const probe = next()
          const vectors = times(count, next)
          bench.floats.fill(0, VECTOR / 4, VECTOR / 4 + floats)
          bench.floats.set(probe, VECTOR / 4)
          bench.floats.fill(0, DATA / 4, DATA / 4 + count * floats)
          for (const [i, vector] of vectors.entries()) bench.floats.set(vector, DATA / 4 + i * floats)
          bench.kernels.rank(DATA, count, floats, VECTOR, ANSWERS)
          for (const [i, vector] of vectors.entries()) {
            const dot = vector.reduce((sum, value, j) => sum + value * probe[j]!, 0)
            expect(bench.floats[ANSWERS / 4 + i]).toBeCloseTo(dot, 5)
          }
        },
      ),
      { numRuns: 30 },
    )
  })

  it('assign each row to the first of its best centroids', async () => {
    const bench = await Bench.open(build)
    const lists = fc.integer({ min: 1, max: 30 })
    fc.assert(
      fc.property(dimensions, kinds, lists, fc.nat(), (dimension, kind, count, seed) => {
        const bytes = codeBytes(dimension)
        const next = unitVectors(dimension, kind, seed)
        const centroids = times(count, () => probeCode(next()))
        const rows = times(8, () => rowCode(next()))
        const codes = DATA + 8 * bytes
        for (const [i, row] of rows.entries()) bench.bytes.set(rowBytes(row), DATA + i * bytes)
        for (const [i, centroid] of centroids.entries()) {
          bench.bytes.set(Int8Array.from(centroid.steps), codes + i * bytes)
          bench.words[FACTORS / 4 + 2 * i] = ROW_ZERO * total(centroid)
          bench.floats[FACTORS / 4 + 2 * i + 1] = centroid.step
        }
        bench.kernels.assign(DATA, 8, bytes, codes, FACTORS, count, ANSWERS)
        expect([...bench.words.slice(ANSWERS / 4, ANSWERS / 4 + 8)]).toEqual(
          rows.map(row => plainList(row, centroids)),
        )
      }),
      { numRuns: 30 },
    )
  })
})
