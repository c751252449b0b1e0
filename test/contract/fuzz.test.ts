/** Generated requests over all operations and encodings: every answer is described and none is a 5xx. */
import * as fc from 'fast-check'
import { inject } from 'vitest'
import type { Version } from '#contract/operations/operation.ts'
import { clientOf } from '#test/support/client.ts'
import { objectionsTo } from '#test/support/described.ts'
import { newToken } from '#test/support/tokens.ts'
import { RefusalAnswer, statusOf } from './error-answer.ts'
import { anyRequest, furnish, type Generated, type Known, photos, requestOf, textOf } from './requests.ts'

/** Number of requests; CI sets more. */
const REQUESTS = Number(process.env.MIEN_FUZZ_REQUESTS ?? 240)

/** Number of concurrent requests. */
const AT_ONCE = 16

/** Longer than the deadline of any request. */
const HANGS_MS = 45_000

const token = newToken(inject('data'), 'fuzz')
const api = clientOf(inject('edge'), token)
const uploads = await photos()

async function check(one: Generated, known: Known) {
  const request = requestOf(inject('edge'), token, one, { uploads, known })
  const response = await fetch(request, { signal: AbortSignal.timeout(HANGS_MS) })
  const text = await textOf(response)
  const said = `${request.method} ${request.url} -> ${response.status} ${text.slice(0, 500)}`
  expect(response.status, said).toBeLessThan(500)
  expect(response.headers.get('x-request-id'), said).toBeTruthy()
  if (response.status >= 400) {
    const refusal = RefusalAnswer.safeParse(JSON.parse(text))
    expect(refusal.error, said).toBeUndefined()
    expect(response.status, said).toBe(statusOf(refusal.data!.code))
    const [, version = 'v1', path = ''] = /^(?:\/(v\d))?(\/.*)/.exec(new URL(request.url).pathname)!
    const method = request.method.toLowerCase()
    const answer = { version: version as Version, method, path, status: response.status, body: refusal.data }
    const headers = new Headers(response.headers)
    headers.delete('x-ignored-parameters')
    expect(objectionsTo({ ...answer, headers }), said).toEqual([])
  } else if (one.operation.answer === undefined) expect(text, said).toBe('')
  else {
    const answer = one.operation.answerType === undefined ? JSON.parse(text) : text
    expect(one.operation.answer.safeParse(answer).error, said).toBeUndefined()
  }
}

it(`the API answers ${REQUESTS} generated requests as its documents describe`, {
  tags: 'long',
  timeout: 900_000,
}, async () => {
  const several = fc.array(anyRequest, { minLength: AT_ONCE, maxLength: AT_ONCE })
  const property = fc.asyncProperty(several, async requests => {
    const known = await furnish(api, uploads[0]!)
    await Promise.all(requests.map(request => check(request, known)))
  })
  await fc.assert(property, { numRuns: Math.ceil(REQUESTS / AT_ONCE), endOnFailure: true })
})
