import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../core/contract/errors.ts'
import { LIMITS } from '../../../core/contract/limits.ts'
import { selectFaces } from '../../../wasm/select.ts'

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

describe('selecting faces', () => {
  it.each([
    { selector: 'all', faces: [small, large], meant: [small, large] },
    { selector: 'biggest', faces: [small, large], meant: [large] },
    { selector: 'biggest', faces: [large, small], meant: [large] },
    { selector: 'reject', faces: [small], meant: [small] },
    { selector: 'any', faces: [small, large], meant: [small, large] },
    { selector: 'any', faces: [], meant: [] },
  ] as const)('$selector', ({ selector, faces, meant }) => {
    expect(selectFaces(faces, selector, 'photo')).toEqual(meant)
  })

  it('refuses several faces with reject, and names their boxes in whole pixels', () => {
    const { code, detail } = refusal(() => selectFaces([small, large], 'reject', 'photo'))
    expect(code).toBe('TOO_MANY_FACES')
    expect(detail.faces).toEqual([
      { x1: 0, y1: 0, x2: 60, y2: 60 },
      { x1: 200, y1: 0, x2: 290, y2: 90 },
    ])
  })

  it.each(['all', 'any'] as const)('refuses more faces than may be cut out at once with %s', selector => {
    const crowd = Array.from({ length: LIMITS.boxes + 1 }, (_, i) => face(i, 20))
    expect(selectFaces(crowd.slice(1), selector, 'photo')).toHaveLength(LIMITS.boxes)
    const { code, detail } = refusal(() => selectFaces(crowd, selector, 'photo'))
    expect(code).toBe('TOO_MANY_FACES')
    expect(detail.faces).toHaveLength(LIMITS.boxes + 1)
  })

  it.each(['all', 'biggest', 'reject'] as const)(
    'refuses a photo without faces with %s, naming it',
    selector => {
      const { code, detail } = refusal(() => selectFaces([], selector, 'photo2'))
      expect({ code, param: detail.param }).toEqual({ code: 'NO_FACES', param: 'photo2' })
    },
  )
})
