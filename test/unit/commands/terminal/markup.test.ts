/** Text for HTML and XML that commands write. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { markupText } from '#commands/terminal/markup.ts'

it('markupText has no character of HTML and no direction marks', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      expect(markupText(text)).not.toMatch(/[<>"'\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
    }),
  )
})
