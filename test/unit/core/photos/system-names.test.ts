/** Names of trusted hosts: few threads wait for the system's resolver, however many callers do. */
import type { LookupAddress } from 'node:dns'
import { expect, it } from 'vitest'
import { systemNames } from '../../../../core/photos/system-names.ts'
import { fetcherOf } from './fetcher.ts'

it('resolves what only the system knows', async () => {
  expect(await systemNames()('localhost')).toContainEqual({ address: '127.0.0.1', family: 4 })
})

it('asks for one name at a time, and once for all who want it', async () => {
  const asked: string[] = []
  const answers: ((addresses: LookupAddress[]) => void)[] = []
  const resolve = systemNames(host => {
    asked.push(host)
    return new Promise(answer => answers.push(answer))
  })
  const first = Array.from({ length: 100 }, () => resolve('a'))
  const second = Array.from({ length: 100 }, () => resolve('b'))
  expect(asked).toEqual(['a'])
  answers[0]!([{ address: '10.0.0.1', family: 4 }])
  expect(await Promise.all(first)).toHaveLength(100)
  expect(asked).toEqual(['a', 'b'])
  answers[1]!([])
  expect(await Promise.all(second)).toHaveLength(100)
})

it('gives up on a resolver that does not answer, and shares it with the next who ask', async () => {
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

it('makes a trusted host that the system has no answer for our fault', async () => {
  const resolve = systemNames(() => new Promise(() => {}), 20)
  const fetchPhoto = fetcherOf({ resolve, trustedHosts: new Set(['photos.example.com:80']) })
  await expect(fetchPhoto('http://photos.example.com/a.jpg')).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  })
})
