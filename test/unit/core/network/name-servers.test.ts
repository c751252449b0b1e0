/** Names of trusted hosts: one thread waits for the system's resolver, for any number of callers; and whose fault a failure is. */

import type { LookupAddress } from 'node:dns'
import { isOurFault, systemNames } from '#core/network/name-servers.ts'
import { times } from '#test/support/times.ts'
import { fetcherOf } from '../photos/fetcher.ts'

it('systemNames resolves one name at a time, once for all callers', async () => {
  const asked: string[] = []
  const answers: ((addresses: LookupAddress[]) => void)[] = []
  const resolve = systemNames(host => {
    asked.push(host)
    return new Promise(answer => answers.push(answer))
  })
  const first = times(100, () => resolve('a'))
  const second = times(100, () => resolve('b'))
  expect(asked).toEqual(['a'])
  answers[0]!([{ address: '10.0.0.1', family: 4 }])
  expect(await Promise.all(first)).toHaveLength(100)
  expect(asked).toEqual(['a', 'b'])
  answers[1]!([])
  expect(await Promise.all(second)).toHaveLength(100)
})

it('systemNames rejects with EAI_AGAIN when the resolver hangs, without further lookups', async () => {
  let asked = 0
  const resolve = systemNames(() => {
    asked++
    return new Promise(() => {})
  }, 20)
  await expect(resolve('a')).rejects.toMatchObject({ code: 'EAI_AGAIN' })
  await expect(resolve('a')).rejects.toMatchObject({ code: 'EAI_AGAIN' })
  await expect(resolve('b')).rejects.toMatchObject({ code: 'EAI_AGAIN' })
  expect(asked).toBe(1)
})

it('photoFetcher reports SERVICE_UNAVAILABLE when the resolver hangs for a trusted host', async () => {
  const resolve = systemNames(() => new Promise(() => {}), 20)
  const fetchPhoto = fetcherOf({ resolve, trustedHosts: new Set(['photos.example.com:80']) })
  await expect(fetchPhoto('http://photos.example.com/a.jpg')).toBeRefused('SERVICE_UNAVAILABLE')
})

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
