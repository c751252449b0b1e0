import { describe, expect, it } from 'vitest'
import { gridHeight, layoutOf, placesIn, tileStyle } from '#console/grid/grid-layout.ts'

describe('the grid', () => {
  it.each([
    [320, 2],
    [1216, 8],
  ])('of %i px has %i columns that fill it', (width, columns) => {
    const layout = layoutOf(width)
    expect(layout.columns).toBe(columns)
    expect(Number.parseFloat(tileStyle(columns - 1, layout).left) + layout.width).toBeCloseTo(width)
  })

  it('is as high as its rows', () => {
    const layout = { columns: 4, width: 100, height: 150 }
    expect(gridHeight(0, layout)).toBe(0)
    expect(gridHeight(4, layout)).toBe(150)
    expect(gridHeight(5, layout)).toBe(312)
    expect(tileStyle(5, layout)).toMatchObject({ left: '112px', top: '162px' })
  })

  it('shows the rows in a window, and one more on each side', () => {
    const layout = { columns: 4, width: 100, height: 150 }
    expect(placesIn(0, 160, layout)).toEqual([0, 7])
    expect(placesIn(1620, 1790, layout)).toEqual([36, 51])
  })
})
