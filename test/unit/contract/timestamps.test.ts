import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTimestamp, timestampText } from '#contract/timestamps.ts'

describe('parseTimestamp', () => {
  it.each([
    ['2017-05-17T08:58:00.930572', '2017-05-17T08:58:00.930572'],
    ['2017-05-17', '2017-05-17T00:00:00.000000'],
    ['2017-05-17 08:58:00,5', '2017-05-17T08:58:00.500000'],
    ['2017-05-17T08:58:00+03:00', '2017-05-17T05:58:00.000000'],
    ['2017-05-17T08:58:00-0530', '2017-05-17T14:28:00.000000'],
    ['2016-02-29T23:59:59.9999999', '2016-02-29T23:59:59.999999'],
    ['1969-12-31T23:59:59.5', '1969-12-31T23:59:59.500000'],
    ['20170517T085800Z', '2017-05-17T08:58:00.000000'],
    ['2017-05-17T08+03', '2017-05-17T05:00:00.000000'],
    ['2019-12-31T24:00', '2020-01-01T00:00:00.000000'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000000'],
    ['9999-12-31T23:59:59.999999', '9999-12-31T23:59:59.000000'],
    ['0000-01-01T00:00:00+14:00', '0000-01-01T00:00:00.000000'],
  ])('reads %s as %s', (text, expected) => {
    expect(timestampText(parseTimestamp(text) as number)).toBe(expected)
  })

  it.each(['', '2017-02-29', '2017-05-17T24:01', '2017-05-17T08:60', '1494', '2017-05-17T08:58+19:00'])(
    'refuses %j',
    text => {
      expect(parseTimestamp(text)).toBeUndefined()
    },
  )

  it('reads the text of timestampText back to the microsecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e15, max: 4e15 }), micros => {
        expect(parseTimestamp(timestampText(micros))).toBe(micros)
      }),
    )
  })
})
