import { describe, expect, it } from 'vitest'
import type { Photo } from '../../../../wasm/imaging/image.ts'
import { thumbnailOf } from '../../../../wasm/imaging/thumbnail.ts'

/** A white photo. */
const photo = (width: number, height: number): Photo => ({
  raster: { data: new Uint8Array(width * height * 3).fill(255), width, height },
  orientation: 1,
  width,
  height,
  step: 1,
  release() {},
})

const box = (x1: number, y1: number, x2: number, y2: number) => ({ x1, y1, x2, y2 })

describe('a thumbnail', () => {
  it('shows the box with 30 percent around it, at most 192 pixels long', () => {
    const { width, height } = thumbnailOf(photo(2000, 2000), box(500, 500, 1000, 750))
    expect({ width, height }).toEqual({ width: 192, height: 96 })
  })

  it('is never larger than the face is on the photo', () => {
    const { width, height } = thumbnailOf(photo(2000, 2000), box(500, 500, 560, 550))
    expect({ width, height }).toEqual({ width: 96, height: 80 })
  })

  it('ends where the photo ends', () => {
    const { width, height, data } = thumbnailOf(photo(100, 200), box(-50, 20, 60, 120))
    expect({ width, height }).toEqual({ width: 93, height: 150 })
    expect(data.every(value => value === 255)).toBe(true)
  })

  it.each([
    { where: 'in the middle', at: box(500, 500, 1000, 750), face: box(36, 18, 156, 78) },
    { where: 'at a corner, partly off the photo', at: box(-50, 20, 60, 120), face: box(-50, 20, 60, 120) },
    { where: 'at the far corner', at: box(1900, 1900, 2100, 2100), face: box(60, 60, 260, 260) },
  ])('says where the face lies on it: $where', ({ at, face }) => {
    expect(thumbnailOf(photo(2000, 2000), at).face).toEqual(face)
  })

  it('of a box that lies off the photo is black', () => {
    const { width, height, data } = thumbnailOf(photo(100, 100), box(500, 500, 600, 600))
    expect({ width, height }).toEqual({ width: 160, height: 160 })
    expect(data.every(value => value === 0)).toBe(true)
  })
})
