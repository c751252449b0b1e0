/** Streams as lines of JSON: complete or interrupted, and read at most one part ahead of the caller. */
import { linesResponse } from '#core/http/rpc/json-lines.ts'

const unforeseen = (error: unknown) => {
  throw error
}

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
