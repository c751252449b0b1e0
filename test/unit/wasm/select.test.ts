import { describe, expect, it } from 'vitest'
import { ServiceError } from '#contract/errors.ts'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { selectFaces } from '#wasm/select.ts'

const face = (x: number, side: number) => ({ box: { x1: x, y1: 0, x2: x + side, y2: side } })

const refusal = (act: () => unknown): ServiceError => {
  try {
    act()
  } catch (error) {
    if (error instanceof ServiceError) return error
  }
  throw new Error('nothing was refused')
}

describe('selectFaces', () => {
  it.each(['all', 'any'] as const)('with %s refuses more than PHOTO_LIMITS.boxes faces', selector => {
    const crowd = Array.from({ length: PHOTO_LIMITS.boxes + 1 }, (_, i) => face(i, 20))
    expect(selectFaces(crowd.slice(1), selector, 'photo')).toHaveLength(PHOTO_LIMITS.boxes)
    const { code, detail } = refusal(() => selectFaces(crowd, selector, 'photo'))
    expect(code).toBe('TOO_MANY_FACES')
    expect(detail.faces).toHaveLength(PHOTO_LIMITS.boxes + 1)
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
