import { beforeAll, describe, expect, it } from 'vitest'
import { KNOWN_PROBES, syntheticFaces } from '#bench/lib/vectors/synthetic.ts'
import { recallOf, type Truth, truthOf, vectorAt } from '#bench/lib/vectors/truth.ts'
import { dot } from '#core/vector-store/unit-vector.ts'

const DIMENSION = 64
const COUNT = 5_000

describe('truthOf', () => {
  const faces = syntheticFaces(DIMENSION, COUNT)
  const rows = new Float32Array(COUNT * DIMENSION)
  let truth: Truth
  let probes: Float32Array
  let closeRows: number[][]

  beforeAll(() => {
    truth = truthOf(faces, DIMENSION)
    let row = 0
    for (const piece of faces.rows()) {
      truth.note(row, piece)
      rows.set(piece, row * DIMENSION)
      row += piece.length / DIMENSION
    }
    probes = faces.probes()
    closeRows = Array.from({ length: KNOWN_PROBES }, (_, probe) => {
      const vector = vectorAt(probes, probe, DIMENSION)
      return Array.from({ length: COUNT }, (_, i) => i).filter(
        i => faces.personOf(i) === faces.personOfProbe(probe) && dot(vector, rows, i * DIMENSION) >= 0.4,
      )
    })
  })

  it('judges results with every true pair as r1k 1 and hit 1', () => {
    const found = closeRows.map((own, probe) => (own.length > 0 ? own : [faces.personOfProbe(probe)!]))
    expect(truth.judge(probes, found)).toEqual({ r1k: 1, hit: 1 })
  })

  it('judges hit as the share of the true pairs that were found', () => {
    const found = closeRows.map(own => own.slice(1))
    const [all, back] = [closeRows, found].map(rows => rows.reduce((sum, { length }) => sum + length, 0))
    expect(truth.judge(probes, found).hit).toBeCloseTo(back! / all!, 10)
  })

  it('ignores probes without a search', () => {
    const found = closeRows.map((own, probe) => (probe % 2 === 0 && own.length > 0 ? own : undefined))
    expect(truth.judge(probes, found)).toEqual({ r1k: 1, hit: 1 })
  })
})

describe('recallOf', () => {
  it.each([
    ['one id of four was missed', [[1, 2, 3, 9]], [[1, 2, 3, 4]], 0.75],
    ['one probe was not searched', [[1], undefined], [[1], [2]], 1],
    ['the reference has no result for a probe', [[1], [5]], [[1], undefined], 1],
  ])('is right when %s', (_, found, reference, recall) => {
    expect(recallOf(found, reference)).toBe(recall)
  })
})
