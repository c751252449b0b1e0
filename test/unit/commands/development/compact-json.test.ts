/** Compact JSON: the same value, in lines of bounded length. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactJson, LINE_WIDTH } from '#commands/development/compact-json.ts'

describe('compactJson', () => {
  it('writes a value that JSON.parse reads back', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(JSON.parse(compactJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('has no longer lines than a single member needs', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer(), { maxLength: 40 }), { maxLength: 40 }), value => {
        for (const line of compactJson(value).split('\n')) expect(line.length).toBeLessThanOrEqual(LINE_WIDTH)
      }),
    )
  })
})
