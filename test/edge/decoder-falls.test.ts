/** A photo that a decoder falls over costs one request, and is told of in the log. */
import { expect, it, onTestFinished, vi } from 'vitest'
import { ServiceError } from '../../core/contract/errors.ts'
import { createApp } from '../../edge/app.ts'
import type { Deps } from '../../edge/deps.ts'
import { form } from '../client.ts'

/** What a trap of a decoder comes to: see wasm/decode/decode.ts. */
const fall = new ServiceError('BAD_IMAGE', {}, { cause: new WebAssembly.RuntimeError('unreachable: secret') })

const appWhoseLook = (error: unknown) =>
  createApp({
    authenticate: async () => ({}),
    faces: {
      async look() {
        throw error
      },
    },
  } as unknown as Deps)

const detect = (app: ReturnType<typeof appWhoseLook>) =>
  app.request('/v0/detect', { method: 'POST', body: form({ photo: new Uint8Array(10) }) })

it.each([
  { what: 'a photo that a decoder fell over', error: fall, lines: 1 },
  { what: 'a photo that is merely damaged', error: new ServiceError('BAD_IMAGE'), lines: 0 },
])('$what is refused alike; lines in the log: $lines', async ({ error, lines }) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const response = await detect(appWhoseLook(error))
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ code: 'BAD_IMAGE' })
  expect(log).toHaveBeenCalledTimes(lines)
  for (const [line] of log.mock.calls) {
    expect(JSON.parse(line)).toMatchObject({ status: 400, cause: expect.stringContaining('RuntimeError') })
    expect(line).not.toContain('secret')
  }
})
