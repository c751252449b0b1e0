import * as fc from 'fast-check'
import { ServiceError } from '#contract/errors.ts'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { times } from '#test/support/times.ts'
import { firstGroup, noFacesReason, selectFaces } from '#wasm/select.ts'

const face = (x: number, side: number) => ({ box: { x1: x, y1: 0, x2: x + side, y2: side } })

const photo = { width: 1000, height: 800 }

const refusal = (act: () => unknown) => {
  try {
    act()
  } catch (error) {
    if (error instanceof ServiceError) return error
  }
  throw new Error('nothing was refused')
}

describe('firstGroup', () => {
  const crowd = times(PHOTO_LIMITS.ungroupedFaces + 1, i => face(i, 20))

  it('cuts out all of few faces, the first of many faces, and none of more faces than the caller takes', () => {
    expect(firstGroup(crowd.slice(1), crowd.length)).toHaveLength(PHOTO_LIMITS.ungroupedFaces)
    expect(firstGroup(crowd, crowd.length)).toEqual(crowd.slice(0, PHOTO_LIMITS.facesPerGroup))
    expect(firstGroup(crowd, crowd.length - 1)).toEqual([])
  })

  it('refuses many faces of an edge that does not take groups', () => {
    const { code, detail } = refusal(() => firstGroup(crowd))
    expect(code).toBe('TOO_MANY_FACES')
    expect(detail.faces).toHaveLength(crowd.length)
  })
})

describe('selectFaces', () => {
  it('with biggest takes the first of the faces with the largest area inside the photo, in whole pixels', () => {
    const side = fc.integer({ min: 1, max: 60 })
    const corner = fc.integer({ min: -800, max: 800 }).map(tenths => tenths / 10)
    const box = fc
      .tuple(corner, corner, side, side)
      .map(([x1, y1, across, down]) => ({ x1, y1, x2: x1 + across, y2: y1 + down }))
    const faces = fc.array(fc.record({ box }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(faces, fc.record({ width: side, height: side }), (faces, photo) => {
        const [taken, ...others] = selectFaces(faces, 'biggest', { photo, param: 'photo' })
        const pixels = (from: number, to: number, end: number) =>
          times(end, i => i).filter(i => i >= from && i < to).length
        const areas = faces.map(
          ({ box: { x1, y1, x2, y2 } }) =>
            pixels(Math.round(x1), Math.round(x2), photo.width) *
            pixels(Math.round(y1), Math.round(y2), photo.height),
        )
        expect(others).toEqual([])
        expect(faces.indexOf(taken!)).toBe(areas.indexOf(Math.max(...areas)))
      }),
    )
  })

  it.each(['all', 'biggest', 'reject'] as const)(
    'with %s refuses a photo without faces and names its parameter',
    selector => {
      const { code, detail } = refusal(() => selectFaces([], selector, { photo, param: 'photo2' }))
      expect({ code, detail }).toEqual({
        code: 'NO_FACES',
        detail: { param: 'photo2', reason: 'photo2: no face was found.' },
      })
    },
  )
})

describe('noFacesReason', () => {
  const poor = '1 face is too poor to recognise; name it by bbox to use it all the same.'

  it('counts faces that are too poor, and names the photo and its boxes', () => {
    expect(noFacesReason(1, [], 'photo')).toBe(poor)
    expect(noFacesReason(2, [], 'photo2')).toBe(
      'photo2: 2 faces are too poor to recognise; name them by bbox2 to use them all the same.',
    )
    expect(noFacesReason(0, [], 'photo')).toBeUndefined()
  })

  it('adds the size of faces that are too small', () => {
    const both = noFacesReason(1, [face(0, 33)], 'photo')
    expect(both).toBe(`${poor} ${noFacesReason(0, [face(0, 33)], 'photo')}`)
    expect(both).toContain('1 face is smaller than 50 px (33 px). ')
  })
})
