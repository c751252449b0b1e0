/** The text that describes the layout of a stored chip. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { layoutOf, layoutText } from '#core/embedding/label.ts'
import { type ChipModel, DLIB_CHIP } from '#models/manifest.ts'

const kinds: fc.Arbitrary<ChipModel> = fc.oneof(
  fc.record({
    template: fc.constant('dlib' as const),
    size: fc.integer({ min: 1, max: 999 }),
    padding: fc.integer({ min: 0, max: 200 }).map(percent => percent / 100),
  }),
  fc.record({
    template: fc.constant('arcface' as const),
    size: fc.integer({ min: 200, max: 999 }),
    margin: fc.nat(99),
  }),
)

it('layoutOf reads the text of layoutText back', () => {
  fc.assert(fc.property(kinds, kind => void expect(layoutOf(layoutText(kind))).toEqual(kind)))
})

it('layoutOf returns the dlib layout when a stored chip has no text', () => {
  expect(layoutOf(undefined)).toEqual(DLIB_CHIP)
})

it.each(['dlib', 'arcface 112 0.25', 'dlib -1 0.25', ' arcface 112'])(
  'layoutOf returns undefined for "%s"',
  text => expect(layoutOf(text)).toBeUndefined(),
)
