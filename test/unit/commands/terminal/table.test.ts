import { table } from '#commands/terminal/table.ts'

it('table removes escape codes and line feeds from values', () => {
  expect(table([{ name: 'a\u001b[31mb\nc\u0007' }])).toBe('NAME\nab\u{fffd}c\u{fffd}')
})
