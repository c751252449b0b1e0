import { photoOfRaster } from '#wasm/imaging/orientation.ts'
import { thumbnailOf } from '#wasm/imaging/thumbnail.ts'

const photo = (width: number, height: number) =>
  photoOfRaster({ data: new Uint8Array(width * height * 3), width, height })

const box = (x1: number, y1: number, x2: number, y2: number) => ({ x1, y1, x2, y2 })

describe('thumbnailOf', () => {
  it('returns the box with a margin of 30 %, reduced to a longer side of at most 192 pixels', () => {
    const { width, height } = thumbnailOf(photo(2000, 2000), box(500, 500, 1000, 750))
    expect({ width, height }).toEqual({ width: 192, height: 96 })
  })

  it.each([
    { where: 'at the centre', at: box(500, 500, 1000, 750), face: box(36, 18, 156, 78) },
    {
      where: 'at a corner, partly outside the photo',
      at: box(-50, 20, 60, 120),
      face: box(-50, 20, 60, 120),
    },
    { where: 'at the far corner', at: box(1900, 1900, 2100, 2100), face: box(60, 60, 260, 260) },
  ])('returns the position of the face on the thumbnail: $where', ({ at, face }) => {
    expect(thumbnailOf(photo(2000, 2000), at).face).toEqual(face)
  })
})
