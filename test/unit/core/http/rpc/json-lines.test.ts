/** A reading as lines: whole or broken off, and never read ahead of the one who asked. */
import { expect, it } from 'vitest'
import { ServiceError } from '../../../../../core/contract/errors.ts'
import { linesResponse } from '../../../../../core/http/rpc/json-lines.ts'

const unforeseen = (error: unknown): never => {
  throw error
}

it('gives each part and the end a line', async () => {
  async function* reading() {
    yield [{ a: 'one' }, { a: 'two' }]
    yield [{ a: 'line\nbreak' }]
    return { older: true }
  }
  const lines = (await (await linesResponse(reading(), unforeseen)).text()).split('\n')
  expect(lines.filter(line => line !== '').map(line => JSON.parse(line))).toEqual([
    { items: [{ a: 'one' }, { a: 'two' }] },
    { items: [{ a: 'line\nbreak' }] },
    { end: { older: true } },
  ])
})

it('refuses before anything is answered', async () => {
  // biome-ignore lint/correctness/useYield: what it would yield is refused
  async function* reading(): AsyncGenerator<never[], object> {
    throw new ServiceError('NOT_FOUND')
  }
  await expect(linesResponse(reading(), unforeseen)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('breaks off without an end when the reading fails, and tells nobody but the log why', async () => {
  async function* reading(): AsyncGenerator<number[], object> {
    yield [1]
    throw new Error('secret')
  }
  const told: unknown[] = []
  const response = await linesResponse(reading(), error => told.push(error))
  const failure = await response.text().catch((error: Error) => error)
  expect(failure).toMatchObject({ name: 'StreamInterrupted', message: '' })
  expect(told).toMatchObject([{ message: 'secret' }])
})

it('reads one part ahead and no more, and stops when nobody listens', async () => {
  let read = 0
  let stopped = false
  async function* reading() {
    try {
      for (;;) yield [read++]
    } finally {
      stopped = true
    }
  }
  const body = (await linesResponse(reading(), unforeseen)).body!.getReader()
  expect(read).toBe(1)
  await body.read()
  expect(read).toBe(2)
  await body.cancel()
  expect(stopped).toBe(true)
})
