/** Cells: each id has a permanent one, evenly distributed; and ranges of cells as text. */
import fc from 'fast-check'
import { CELLS, cellOf, cellsOf, rangesOf } from '#core/vector-store/sharding/layout.ts'

describe('cellOf', () => {
  // Fixed values: stored vectors are found by these numbers.
  it.each([
    [0, 0],
    [1, 183],
    [4_611_686_018_427, 543],
    [Number.MAX_SAFE_INTEGER, 933],
  ])('maps the id %d permanently to the cell %d', (id, cell) => {
    expect(cellOf(id)).toBe(cell)
  })

  it.each([
    { ids: 'consecutive numbers', idAt: (i: number) => i },
    { ids: 'numbers that differ above 2^32 only', idAt: (i: number) => (i % 2 ** 20) * 2 ** 32 },
  ])('spreads $ids evenly', ({ idAt }) => {
    const counts = new Array<number>(CELLS).fill(0)
    for (let i = 0; i < 100 * CELLS; i++) counts[cellOf(idAt(i))]!++
    // 100 ids per cell are expected. A uniform hash gives a cell below 50 or above 160 once in a million.
    expect(Math.min(...counts)).toBeGreaterThan(50)
    expect(Math.max(...counts)).toBeLessThan(160)
  })
})

describe('cellsOf', () => {
  it.each(['', 'all', '3-1', '0-1024', '1,1', '0-5,5-7', '1-2-3'])('refuses "%s"', text => {
    expect(cellsOf(text)).toBeUndefined()
  })

  it('reads the text of rangesOf back', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(CELLS - 1), { minLength: 1 }), some => {
        const cells = some.toSorted((a, b) => a - b)
        expect(cellsOf(rangesOf(cells))).toEqual(cells)
      }),
    )
  })
})
