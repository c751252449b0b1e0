import * as fc from 'fast-check'
import { checkedBox, parseBoxes } from '#contract/parameters/boxes.ts'
import { times } from '#test/support/times.ts'

const box = { x1: 10, y1: 20, x2: 110, y2: 140 }
const other = { x1: -5, y1: 0, x2: 60, y2: 50 }

describe('parseBoxes', () => {
  it.each([
    ['an object', box, [box]],
    ['an array of four numbers', [10, 20, 110, 140], [box]],
    ['an array of four texts', ['10', '20', '110', '140'], [box]],
    [
      'an array of arrays',
      [
        [10, 20, 110, 140],
        [-5, 0, 60, 50],
      ],
      [box, other],
    ],
    ['the text of an array', '[[10,20,110,140],[-5,0,60,50]]', [box, other]],
    ['texts of a repeated key', [JSON.stringify(box), '[-5,0,60,50]'], [box, other]],
    ['fractions, which are rounded', [9.6, 20.2, 110.4, 139.5], [box]],
    [
      'all numbers in one inner list, as Ruby writes boxes',
      [['10', '20', '110', '140', '-5', '0', '60', '50']],
      [box, other],
    ],
    ['a list with one text of all boxes', ['[[10,20,110,140],[-5,0,60,50]]'], [box, other]],
    ['the text null', 'null', []],
  ])('reads %s', (_, value, expected) => {
    expect(parseBoxes(value)).toEqual(expected)
  })

  it.each([
    ['x2 left of x1', [110, 20, 10, 140]],
    ['a side below 50', [0, 0, 49, 100]],
    ['a missing corner', { x1: 1, y1: 2, x2: 300 }],
    ['deep JSON text', '['.repeat(1000) + ']'.repeat(1000)],
    ['a very long coordinate', [`${'1'.repeat(9999)}`, '20', '110', '140']],
    ['a hexadecimal coordinate', ['10', '20', '110', '0x100']],
    ['three levels of lists', [[[10, 20, 110, 140]]]],
    ['too many boxes', times(1_025, () => box)],
  ])('refuses %s with a sentence', (_, value) => {
    expect(parseBoxes(value)).toEqual(expect.any(String))
  })

  it('refuses corners that are far outside of any photo', () => {
    expect(checkedBox({ x1: -1.7e308, y1: -1.7e308, x2: 1.7e308, y2: 1.7e308 })).toEqual(expect.any(String))
  })

  it('returns boxes of integers or a sentence for any value', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.anything()), value => {
        const parsed = parseBoxes(value)
        if (typeof parsed === 'string') return
        for (const one of parsed) expect(Object.values(one).every(Number.isInteger)).toBe(true)
      }),
    )
  })
})
