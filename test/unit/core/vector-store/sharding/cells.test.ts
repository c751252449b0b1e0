/** Cells: every id has one, evenly, for ever; and ranges of them as text. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CELLS, cellOf, cellsOf, rangesOf } from '../../../../../core/vector-store/sharding/cells.ts'

describe('the cell of an id', () => {
  // Written down: stored vectors are found by these numbers.
  it.each([
    [0, 0],
    [1, 183],
    [2 ** 32, 143],
    [4_611_686_018_427, 543],
    [Number.MAX_SAFE_INTEGER, 933],
  ])('of %d is %d, and stays so', (id, cell) => {
    expect(cellOf(id)).toBe(cell)
  })

  it('is one of 1,024, whatever the id', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), id => {
        expect(Number.isInteger(cellOf(id)) && cellOf(id) >= 0 && cellOf(id) < CELLS).toBe(true)
      }),
    )
  })

  it.each([
    { ids: 'numbers from 0 on', idAt: (i: number) => i },
    { ids: 'ids of a photo each minute', idAt: (i: number) => (1_700_000_000 + 60 * i) * 2_560_000 },
    { ids: 'numbers that differ above 2^32 alone', idAt: (i: number) => (i % 2 ** 20) * 2 ** 32 },
  ])('spreads $ids evenly', ({ idAt }) => {
    const counts = new Array<number>(CELLS).fill(0)
    for (let i = 0; i < 100 * CELLS; i++) counts[cellOf(idAt(i))]!++
    // Of a hundred expected in each, a fair hash leaves a cell with fewer than 50 or more than 160 once in a million.
    expect(Math.min(...counts)).toBeGreaterThan(50)
    expect(Math.max(...counts)).toBeLessThan(160)
  })
})

describe('ranges of cells', () => {
  it.each([
    ['0-3', [0, 1, 2, 3]],
    ['7', [7]],
    ['5, 1-2,1023', [1, 2, 5, 1023]],
  ])('like %s are read', (text, cells) => {
    expect(cellsOf(text)).toEqual(cells)
  })

  it.each(['', ',', 'all', '-1', '1-', '3-1', '0-1024', '1,1', '0-5,5-7', '1.5', '1-2-3', '0x1'])(
    'like "%s" are refused',
    text => {
      expect(cellsOf(text)).toBeUndefined()
    },
  )

  it('are written so that they are read back', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(CELLS - 1), { minLength: 1 }), some => {
        const cells = some.toSorted((a, b) => a - b)
        expect(cellsOf(rangesOf(cells))).toEqual(cells)
      }),
    )
  })
})
