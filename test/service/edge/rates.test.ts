/** The rate limit of a token over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { clientOf } from '#test/support/client.ts'
import { newToken } from '#test/support/tokens.ts'

it('a token beyond its rate gets 429 and is served again after Retry-After seconds', {
  tags: 'long',
}, async () => {
  const token = newToken(inject('data'), `rated ${process.pid}`, { rate: 1 })
  const api = clientOf(inject('edge'), token)
  await expect(api('GET', '/v0/galleries')).toAnswer(200)
  const { status, headers, body } = await api('GET', '/v0/galleries')
  expect({ status, code: body.code }).toEqual({ status: 429, code: 'RATE_LIMITED' })
  const seconds = Number(headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  await sleep(seconds * 1000)
  await expect(api('GET', '/v0/galleries')).toAnswer(200)
})
