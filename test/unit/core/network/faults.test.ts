/** Cause of a failed fetch: this machine or the URL. Only exhausted resources of this machine are its fault. */
import { isOurFault } from '#core/network/name-servers.ts'

it.each([
  ['EMFILE', true],
  ['EAI_AGAIN', true],
  ['ECONNREFUSED', false],
  ['ETIMEDOUT', false],
  ['ENOTFOUND', false],
])('isOurFault of %s is %s, also of one of several attempts and of a cause', (code, expected) => {
  const failed = Object.assign(new Error(), { code })
  const other = Object.assign(new Error(), { code: 'ETIMEDOUT' })
  expect(isOurFault(failed)).toBe(expected)
  expect(isOurFault(new AggregateError([other, failed]))).toBe(expected)
  expect(isOurFault(new Error('', { cause: failed }))).toBe(expected)
})
