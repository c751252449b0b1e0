import { describe, expect, it } from 'vitest'
import { ServiceError } from '#contract/errors.ts'
import { LIMITS } from '#contract/limits.ts'
import { inReadingOrder, selectFaces, tooSmallReason } from '#wasm/select.ts'

const face = (x: number, side: number) => ({ box: { x1: x, y1: 0, x2: x + side, y2: side } })
const small = face(0.4, 60)
const large = face(200.4, 90)

const refusal = (act: () => unknown): ServiceError => {
  try {
    act()
  } catch (error) {
    if (error instanceof ServiceError) return error
  }
  throw new Error('nothing was refused')
}

describe('selectFaces', () => {
  it.each([
    { returns: 'all faces', selector: 'all', faces: [small, large], expected: [small, large] },
    {
      returns: 'the last face, which is the biggest',
      selector: 'biggest',
      faces: [small, large],
      expected: [large],
    },
    {
      returns: 'the first face, which is the biggest',
      selector: 'biggest',
      faces: [large, small],
      expected: [large],
    },
    { returns: 'the only face', selector: 'reject', faces: [small], expected: [small] },
    { returns: 'all faces', selector: 'any', faces: [small, large], expected: [small, large] },
    { returns: 'an empty list for no faces', selector: 'any', faces: [], expected: [] },
  ] as const)('with $selector returns $returns', ({ selector, faces, expected }) => {
    expect(selectFaces(faces, selector, 'photo')).toEqual(expected)
  })

  it('with reject refuses several faces and returns their boxes in whole pixels', () => {
    const { code, detail } = refusal(() => selectFaces([small, large], 'reject', 'photo'))
    expect(code).toBe('TOO_MANY_FACES')
    expect(detail.faces).toEqual([
      { x1: 0, y1: 0, x2: 60, y2: 60 },
      { x1: 200, y1: 0, x2: 290, y2: 90 },
    ])
  })

  it.each(['all', 'any'] as const)('with %s refuses more than LIMITS.boxes faces', selector => {
    const crowd = Array.from({ length: LIMITS.boxes + 1 }, (_, i) => face(i, 20))
    expect(selectFaces(crowd.slice(1), selector, 'photo')).toHaveLength(LIMITS.boxes)
    const { code, detail } = refusal(() => selectFaces(crowd, selector, 'photo'))
    expect(code).toBe('TOO_MANY_FACES')
    expect(detail.faces).toHaveLength(LIMITS.boxes + 1)
  })

  it.each(['all', 'biggest', 'reject'] as const)(
    'with %s refuses a photo without faces and names its parameter',
    selector => {
      const { code, detail } = refusal(() => selectFaces([], selector, 'photo2'))
      expect({ code, detail }).toEqual({
        code: 'NO_FACES',
        detail: { param: 'photo2', reason: 'photo2: no face was found.' },
      })
    },
  )
})

it.each([
  ['photo', [], undefined],
  ['photo', [face(0, 33.9)], /^1 face is smaller than 50 px \(33 px\)\. .* in `bbox`\.$/],
  [
    'photo1',
    [12, 33, 9].map(side => face(0, side)),
    /^photo1: 3 faces are smaller than 50 px \(largest 33 px\)\. .* in `bbox1`\.$/,
  ],
])('tooSmallReason about %s counts and measures the faces', (param, faces, reason) => {
  const given = tooSmallReason(faces, param)
  if (reason) expect(given).toMatch(reason)
  else expect(given).toBeUndefined()
})

const named = (name: string, x: number, y: number) => ({
  name,
  box: { x1: x, y1: y, x2: x + 100, y2: y + 100 },
})
const names = (...faces: ReturnType<typeof named>[]) => inReadingOrder(faces).map(({ name }) => name)

it('inReadingOrder sorts one row from left to right, despite different heights', () => {
  expect(names(named('right', 500, 100), named('left', 0, 130), named('middle', 250, 85))).toEqual([
    'left',
    'middle',
    'right',
  ])
})

it('inReadingOrder puts the back row before the front row', () => {
  expect(names(named('front', 0, 300), named('back right', 400, 0), named('back left', 100, 20))).toEqual([
    'back left',
    'back right',
    'front',
  ])
})

it('inReadingOrder returns an empty list for no faces', () => {
  expect(inReadingOrder([])).toEqual([])
})
