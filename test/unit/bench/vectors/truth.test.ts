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
})

describe('recallOf', () => {
  it.each([
    {
      when: 'one id of four was missed',
      found: [
        [1, 2],
        [3, 9],
      ],
      reference: [
        [1, 2],
        [3, 4],
      ],
      recall: 0.75,
    },
    { when: 'one probe was not searched', found: [[1], undefined], reference: [[1], [2]], recall: 1 },
    {
      when: 'the reference has no result for a probe',
      found: [[1], [5]],
      reference: [[1], undefined],
      recall: 1,
    },
  ])('is $recall when $when', ({ found, reference, recall }) => {
    expect(recallOf(found, reference)).toBe(recall)
  })
})
