import { describe, expect, it } from 'vitest'
import { area, boxKey, overlap, rounded } from '#contract/model/bbox.ts'

describe('bbox', () => {
  it('boxKey writes JSON text with one space after each comma', () => {
    expect(boxKey({ x1: 10, y1: -2, x2: 300, y2: 400 })).toBe('[10, -2, 300, 400]')
  })

  it('rounded returns integers without a minus zero', () => {
    expect(JSON.stringify(rounded({ x1: -0.2, y1: 1.5, x2: 2.4, y2: -3.6 }))).toBe(
      '{"x1":0,"y1":2,"x2":2,"y2":-4}',
    )
    expect(Object.is(rounded({ x1: -0.2, y1: 0, x2: 0, y2: 0 }).x1, 0)).toBe(true)
  })

  it('overlap returns intersection over union', () => {
    const box = { x1: 0, y1: 0, x2: 10, y2: 10 }
    expect(overlap(box, box)).toBe(1)
    expect(overlap(box, { x1: 5, y1: 0, x2: 15, y2: 10 })).toBeCloseTo(50 / 150)
    expect(overlap(box, { x1: 10, y1: 0, x2: 20, y2: 10 })).toBe(0)
  })

  it('area is 0 for an inverted box', () => {
    expect(area({ x1: 5, y1: 5, x2: 1, y2: 9 })).toBe(0)
  })
})
