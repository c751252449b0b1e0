/** Streams as lines of JSON: complete or interrupted, and read at most one part ahead of the caller. */
import { expect, it } from 'vitest'
import { ServiceError } from '#contract/errors.ts'
import { linesResponse } from '#core/http/rpc/json-lines.ts'

const unforeseen = (error: unknown): never => {
  throw error
}

it('linesResponse writes a line for each part and one for the end', async () => {
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

it('linesResponse rejects when the stream fails before its first part', async () => {
  // biome-ignore lint/correctness/useYield: it fails before its first part
  async function* reading(): AsyncGenerator<never[], object> {
    throw new ServiceError('NOT_FOUND')
  }
  await expect(linesResponse(reading(), unforeseen)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('linesResponse interrupts the response when the stream fails, and passes the error to the log only', async () => {
  async function* reading(): AsyncGenerator<number[], object> {
    yield [1]
    throw new Error('secret')
  }
  const logged: unknown[] = []
  const response = await linesResponse(reading(), error => logged.push(error))
  const failure = await response.text().catch((error: Error) => error)
  expect(failure).toMatchObject({ name: 'StreamInterrupted', message: '' })
  expect(logged).toMatchObject([{ message: 'secret' }])
})

it('linesResponse reads one part ahead, and stops when the caller cancels', async () => {
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
