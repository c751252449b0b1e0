import { describe, expect, it } from 'vitest'
import { cropStyle, entryAt, overlap, placeOf } from '#console/photos/photo.ts'

const box = (x1: number, y1: number, x2: number, y2: number) => ({ x1, y1, x2, y2 })
const percent = (text: string) => Number(text.replace('%', ''))

describe('boxes', () => {
  it('overlap by intersection over union', () => {
    expect(overlap(box(0, 0, 10, 10), box(0, 0, 10, 10))).toBe(1)
    expect(overlap(box(0, 0, 10, 10), box(5, 0, 15, 10))).toBeCloseTo(1 / 3)
    expect(overlap(box(0, 0, 10, 10), box(10, 0, 20, 10))).toBe(0)
  })

  it('find the entry of a face by the key with the most overlap', () => {
    const results = { '[0, 0, 10, 10]': 'a', '[100, 0, 110, 10]': 'b' }
    expect(entryAt(results, box(0, 0, 10, 10))).toBe('a')
    expect(entryAt(results, box(101, 1, 111, 11))).toBe('b')
    expect(entryAt(results, box(50, 50, 60, 60))).toBeUndefined()
    expect(entryAt({}, box(0, 0, 10, 10))).toBeUndefined()
  })

  it('have a place in percent of the photo, within it', () => {
    const size = { width: 200, height: 100 }
    expect(placeOf(box(50, 25, 100, 75), size)).toEqual({
      left: '25%',
      top: '25%',
      width: '25%',
      height: '50%',
    })
    expect(placeOf(box(-20, -10, 220, 50), size)).toEqual({
      left: '0%',
      top: '0%',
      width: '100%',
      height: '50%',
    })
  })

  it('are in the middle of a crop', () => {
    const style = cropStyle(box(100, 100, 200, 180), { width: 1000, height: 500 })
    // A frame of 140 px around the middle at 150, 140.
    expect(percent(style.width)).toBeCloseTo((100 * 1000) / 140)
    expect(percent(style.height)).toBeCloseTo((100 * 500) / 140)
    expect(percent(style.left)).toBeCloseTo((-100 * 80) / 140)
    expect(percent(style.top)).toBeCloseTo((-100 * 70) / 140)
  })
})
