import { describe, expect, it } from 'vitest'
import { badParam, ERRORS, errorAnswer, ServiceError } from '../../../core/contract/errors.ts'

describe('error answers', () => {
  it('name the parameter and its value when one is bad', () => {
    expect(errorAnswer(badParam('n', -1, 'Too small.'))).toEqual({
      status: 400,
      body: { code: 'BAD_PARAM', reason: 'Too small.', param: 'n', value: '-1' },
    })
  })

  it('carry the boxes and the numeric code when there are too many faces', () => {
    const faces = [{ x1: 1, y1: 2, x2: 3, y2: 4 }]
    expect(errorAnswer(new ServiceError('TOO_MANY_FACES', { faces }))).toEqual({
      status: 400,
      body: { code: 400, faces, reason: 'Too many faces: 1' },
    })
  })

  it('tell nothing of an unknown error', () => {
    const answer = errorAnswer(new Error('SELECT embedding FROM faces'))
    expect(answer).toEqual({
      status: 500,
      body: { code: 'INTERNAL_ERROR', reason: ERRORS.INTERNAL_ERROR.reason },
    })
  })

  it('do not send bytes or long texts back', () => {
    expect(errorAnswer(badParam('photo', new Uint8Array(9), 'No.')).body.value).toBe('(binary)')
    expect(String(errorAnswer(badParam('meta', 'x'.repeat(9999), 'No.')).body.value).length).toBeLessThan(210)
  })
})
