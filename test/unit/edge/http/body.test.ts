/** Bodies of requests: size, time of arrival, and breaks. */
import { REQUEST_LIMITS } from '#contract/limits/requests.ts'
import { admission } from '#edge/admission/admission.ts'
import { readBody } from '#edge/http/body.ts'

const requestOf = (body: ReadableStream, headers: Record<string, string> = {}) =>
  new Request('http://mien.test/v0/detect', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)

/** Reads the body of the only request in the isolate. */
const read = async (request: Request) =>
  readBody(request, await admission().acquire('a token', 0), { most: REQUEST_LIMITS.bodyBytes })

describe('readBody', () => {
  afterEach(() => vi.useRealTimers())

  it('refuses an announced size above the limit without reading the body', async () => {
    const body = new ReadableStream(
      { type: 'bytes', pull: () => expect.unreachable('the body was read') },
      { highWaterMark: 0 },
    )
    const headers = { 'content-length': String(REQUEST_LIMITS.bodyBytes + 1) }
    await expect(read(requestOf(body, headers))).toBeRefused('PHOTO_TOO_LARGE')
  })

  it('refuses an endless body of unknown size while it still arrives', async () => {
    const pull = (controller: ReadableByteStreamController) => controller.enqueue(new Uint8Array(2 ** 20))
    await expect(read(requestOf(new ReadableStream({ type: 'bytes', pull })))).toBeRefused('PHOTO_TOO_LARGE')
  })

  it('refuses and cancels a body that stalls beyond REQUEST_LIMITS.bodyArrivalMs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const cancelled = vi.fn()
    const body = new ReadableStream({
      type: 'bytes',
      start: controller => controller.enqueue(new Uint8Array(9)),
      cancel: cancelled,
    })
    const outcome = read(requestOf(body)).catch(error => error)
    await vi.advanceTimersByTimeAsync(REQUEST_LIMITS.bodyArrivalMs)
    expect(await outcome).toMatchObject({ code: 'BAD_PARAM', detail: { param: 'body' } })
    expect(cancelled).toHaveBeenCalled()
  })

  it('refuses a body that breaks off', async () => {
    const pull = (controller: ReadableByteStreamController) => controller.error(new Error('reset'))
    const body = new ReadableStream({ type: 'bytes', pull })
    await expect(read(requestOf(body))).toBeRefused('BAD_PARAM')
  })
})
