import { expect, it } from 'vitest'
import { MienError, MienNetworkError, MienTimeoutError } from '#clients/typescript/src/index.ts'
import { sentenceOf } from '#console/connection/sentences.ts'

const refused = (reason: string, more = {}) =>
  new MienError({ status: 400, code: 'BAD_PARAM', reason, ...more })

it.each([
  [refused('No face was found.'), 'No face was found.'],
  [refused('Too many faces: 3'), 'Too many faces: 3.'],
  [refused('Too many requests.', { status: 429, retryAfter: 7 }), 'Too many requests. Try again in 7 s.'],
  [new MienNetworkError('x'), 'The service does not answer. Check the connection and try again.'],
  [new MienTimeoutError('x'), 'The service took too long to answer. Try again.'],
  [new TypeError('secret'), 'Something went wrong in the console. Load the page again.'],
])('sentenceOf(%s)', (error, sentence) => {
  expect(sentenceOf(error)).toBe(sentence)
})
