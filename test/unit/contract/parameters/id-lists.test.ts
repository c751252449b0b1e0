import * as fc from 'fast-check'
import { idList } from '#contract/parameters/ids.ts'

const list = idList(3, 'Ids.')
const parsed = (value: unknown) => list.safeParse(value).data

describe('idList', () => {
  it.each([
    ['one number', 7, [7]],
    ['a text with commas', '7, 8', [7, 8]],
    ['the text of an array', '["7","8"]', [7, 8]],
    ['repeated ids, once each', [7, 7, '7', 8], [7, 8]],
    ['the greatest id', [Number.MAX_SAFE_INTEGER], [Number.MAX_SAFE_INTEGER]],
  ])('reads %s', (_, value, expected) => {
    expect(parsed(value)).toEqual(expected)
  })

  it.each([
    ['nothing', undefined],
    ['an empty list', []],
    ['more ids than allowed', [1, 2, 3, 4]],
    ['a negative number', [-1]],
    ['a fraction', [1.5]],
    ['a number that is not exact', [2 ** 53]],
    ['a list in a list', [[7]]],
    ['null in a list', [7, null]],
  ])('refuses %s', (_, value) => {
    expect(list.safeParse(value).success).toBe(false)
  })

  it('returns 1 to 3 distinct ids, or refuses, for any value', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.string(), fc.array(fc.oneof(fc.nat(), fc.string()))), value => {
        const ids = parsed(value)
        if (ids === undefined) return
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids.length >= 1 && ids.length <= 3 && ids.every(Number.isSafeInteger)).toBe(true)
        expect(Math.min(...ids)).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
