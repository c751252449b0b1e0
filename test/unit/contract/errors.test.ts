import * as fc from 'fast-check'
import { ERRORS, errorAnswer, wrongValue } from '#contract/errors.ts'
import { times } from '#test/support/times.ts'

describe('errorAnswer', () => {
  it('reveals nothing about an unknown error', () => {
    const answer = errorAnswer(new Error('SELECT embedding FROM faces'))
    expect(answer).toEqual({
      status: 500,
      body: { code: 'INTERNAL_ERROR', reason: ERRORS.INTERNAL_ERROR.reason },
    })
  })

  it('never repeats a file, a data: URL or base64 at any depth of a value', () => {
    class Upload {
      bytes = new Uint8Array([7, 7, 7])
      name = 'secret'
    }
    const upload = new Upload()
    const url = 'data:image/jpeg;base64,c2VjcmV0'
    const base64 = 'c2VjcmV0'.repeat(9)
    for (const value of [
      upload,
      [upload],
      { a: [upload] },
      [[[[[[upload]]]]]],
      url,
      [url],
      { a: url },
      ` ${url}`,
      [base64],
      { a: `b'${base64}` },
    ]) {
      const { body } = errorAnswer(wrongValue('photo', value, 'one photo'))
      expect(JSON.stringify(body)).not.toMatch(/7,|secret|c2Vj/)
    }
  })

  it('is short for any value', () => {
    const large = { list: times(100_000, () => ['x'.repeat(999)]), ['k'.repeat(9999)]: 1 }
    expect(JSON.stringify(errorAnswer(wrongValue('a', large, 'less')).body).length).toBeLessThan(500)
    fc.assert(
      fc.property(fc.anything(), value => {
        const { body } = errorAnswer(wrongValue('a', value, 'something'))
        expect(JSON.stringify(body).length).toBeLessThan(3000)
        expect(body.value).toEqual(expect.any(String))
      }),
    )
  })

  it('names the expected and the sent value', () => {
    const reason = (value: unknown) => errorAnswer(wrongValue('n', value, 'a number')).body.reason
    expect(reason('x"y')).toBe('n: expected a number, got "x\\"y".')
    expect(reason([10, 20])).toBe('n: expected a number, got [10,20].')
    expect(reason(undefined)).toBe('n: expected a number, got nothing.')
    expect(reason(new Uint8Array(1))).toBe('n: expected a number, got a file.')
  })
})
