import { InvalidBlobs, shownFacesOf } from '#core/operations/blobs.ts'
import { DLIB_CHIP } from '#models/manifest.ts'
import { FACE, faceOf } from '#test/support/sample-faces.ts'
import { thumbnailCrop } from '#wasm/imaging/thumbnail.ts'

const CHIP = DLIB_CHIP
const [first, second] = [FACE, faceOf(4, 5, 6)]
const chips = [first.chip.data, second.chip.data]
const pixels = [first.thumbnail.data, second.thumbnail.data]
const thumbnails = [thumbnailCrop(first.thumbnail), thumbnailCrop(second.thumbnail)]
const PERSONS = { age: true, gender: true, emotions: false }
const MOODS = { age: false, gender: false, emotions: true }

describe('shownFacesOf', () => {
  it('returns chips and, for emotions, thumbnails', () => {
    expect(shownFacesOf(CHIP, { asked: PERSONS, thumbnails: [] }, chips)).toEqual([
      { chip: chips[0] },
      { chip: chips[1] },
    ])
    expect(shownFacesOf(CHIP, { asked: MOODS, thumbnails }, [...chips, ...pixels])).toEqual([
      { chip: chips[0], thumbnail: first.thumbnail },
      { chip: chips[1], thumbnail: second.thumbnail },
    ])
    expect(shownFacesOf(CHIP, { asked: MOODS, thumbnails: [] }, [])).toEqual([])
  })

  const [outline] = thumbnails
  it.each([
    { what: 'no thumbnails for emotions', asked: MOODS, thumbnails: [], blobs: chips },
    { what: 'thumbnails without emotions', asked: PERSONS, thumbnails, blobs: [...chips, ...pixels] },
    { what: 'thumbnails before chips', asked: MOODS, thumbnails, blobs: [...pixels, ...chips] },
    {
      what: 'a thumbnail of another size',
      asked: MOODS,
      thumbnails: [outline!, { ...outline!, width: 39 }],
      blobs: [...chips, ...pixels],
    },
    {
      what: 'a thumbnail without pixels',
      asked: MOODS,
      thumbnails: [outline!, { ...outline!, width: 0 }],
      blobs: [...chips, pixels[0]!, new Uint8Array()],
    },
  ])('refuses $what', ({ asked, thumbnails, blobs }) => {
    expect(() => shownFacesOf(CHIP, { asked, thumbnails }, blobs)).toThrow(InvalidBlobs)
  })
})
