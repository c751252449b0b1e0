import { expect, it } from 'vitest'
import { tokenIn } from '#console/connection/session.ts'

it.each([
  'mien_abc',
  '  mien_abc\n',
  'Token mien_abc',
  'bearer mien_abc',
  'Authorization: Token mien_abc',
  '"mien_abc"',
])('tokenIn finds the token in %j', typed => {
  expect(tokenIn(typed)).toBe('mien_abc')
})
