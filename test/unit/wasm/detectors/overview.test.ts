/** When the overview of a photo is enough. */
import type { Detection } from '#wasm/detectors/detection.ts'
import { isEnough } from '#wasm/detectors/detector.ts'

const face = (side: number, score: number, x = 0): Detection => ({
  box: { x1: x, y1: 0, x2: x + side, y2: side },
  score,
})

describe('isEnough', () => {
  const portrait = face(300, 0.9)
  const photo = { width: 1000, height: 1000 }

  it.each([
    { what: 'a large and sure face', seen: [portrait], all: true, biggest: true },
    { what: 'noise beside a sure face', seen: [portrait, face(50, 0.15, 600)], all: true, biggest: true },
    {
      what: 'a small weak detection beside it',
      seen: [portrait, face(50, 0.2, 600)],
      all: false,
      biggest: true,
    },
    {
      what: 'a weak detection of half its side beside it',
      seen: [portrait, face(150, 0.2, 600)],
      all: false,
      biggest: false,
    },
    {
      what: 'a weak detection that is as large inside the photo as a sure face',
      seen: [face(300, 0.9, -225), face(150, 0.2, 600)],
      all: false,
      biggest: false,
    },
    { what: 'a small face', seen: [face(150, 0.9)], all: false, biggest: false },
    { what: 'no detection', seen: [], all: false, biggest: false },
  ])('returns for $what: $all for all faces, $biggest for the biggest', ({ seen, all, biggest }) => {
    expect(isEnough(seen, 10, { wanted: 'all', photo })).toBe(all)
    expect(isEnough(seen, 10, { wanted: 'biggest', photo })).toBe(biggest)
  })
})
