import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, inject, it, vi } from 'vitest'
import { sample } from '../../../../bench/harness/client.ts'
import { LIMITS } from '../../../../core/contract/limits.ts'
import { admission } from '../../../../edge/admission/admission.ts'
import { readBody } from '../../../../edge/http/body.ts'

const requestOf = (body: ReadableStream, headers: Record<string, string> = {}) =>
  new Request('http://mien.test/v0/detect', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)

/** Reads the body of a request that nobody else is beside. */
const read = async (request: Request) =>
  readBody(request, await admission().acquire('a token', 0), { most: LIMITS.bodyBytes })

describe('a body', () => {
  afterEach(() => vi.useRealTimers())

  it('is read whole, in whatever pieces it comes', async () => {
    const pieces = [[1, 2], [3], [4, 5, 6]].map(piece => new Uint8Array(piece))
    const body = new ReadableStream({
      type: 'bytes',
      pull: controller => {
        const piece = pieces.shift()
        if (piece) return controller.enqueue(piece)
        controller.close()
        controller.byobRequest?.respond(0)
      },
    })
    expect([...(await read(requestOf(body)))]).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('that is announced as too large is refused unread', async () => {
    const body = new ReadableStream(
      { type: 'bytes', pull: () => expect.unreachable('the body was read') },
      { highWaterMark: 0 },
    )
    const headers = { 'content-length': String(LIMITS.bodyBytes + 1) }
    await expect(read(requestOf(body, headers))).rejects.toMatchObject({ code: 'PHOTO_TOO_LARGE' })
  })

  it('that stops coming is refused when its time is up, and let go of', async () => {
    vi.useFakeTimers()
    const cancelled = vi.fn()
    const body = new ReadableStream({
      type: 'bytes',
      start: controller => controller.enqueue(new Uint8Array(9)),
      cancel: cancelled,
    })
    const outcome = read(requestOf(body)).catch(error => error)
    await vi.advanceTimersByTimeAsync(LIMITS.bodyArrivalMs)
    expect(await outcome).toMatchObject({ code: 'BAD_PARAM', detail: { param: 'body' } })
    expect(cancelled).toHaveBeenCalled()
  })

  it('that breaks off is refused', async () => {
    const pull = (controller: ReadableByteStreamController) => controller.error(new Error('reset'))
    const body = new ReadableStream({ type: 'bytes', pull })
    await expect(read(requestOf(body))).rejects.toMatchObject({ code: 'BAD_PARAM' })
  })
})

describe('the running edge', () => {
  it('answers 413 to a body that never ends, while it is still coming', async () => {
    let answer = await sendForever()
    // So large a body comes in only while no other test's is there.
    while (answer.status === 503) answer = await sendForever()
    const { status, body } = answer
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'PHOTO_TOO_LARGE' })
  })

  it('goes on answering after callers have hung up in the middle of their photos', async () => {
    const photo = await sample(3)
    await Promise.all(Array.from({ length: 20 }, () => hangUpAfter(photo.subarray(0, 50_000))))
    const response = await fetch(`${inject('edge')}/v0/galleries`, {
      headers: { authorization: `Token ${inject('token')}` },
    })
    expect(response.status).toBe(200)
  })
})

const detect = () =>
  httpRequest(`${inject('edge')}/v0/detect`, {
    method: 'POST',
    headers: { authorization: `Token ${inject('token')}`, 'content-type': 'multipart/form-data; boundary=b' },
  })

/** Sends a chunked photo without an end until there is an answer. */
function sendForever(): Promise<{ status: number | undefined; body: { code: string } }> {
  return new Promise((resolve, reject) => {
    const request = detect()
    const megabyte = Buffer.alloc(2 ** 20)
    let answered = false
    const send = () => {
      while (!answered && request.write(megabyte));
      if (!answered) request.once('drain', send)
    }
    request.on('response', response => {
      answered = true
      let text = ''
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => {
        request.destroy()
        resolve({ status: response.statusCode, body: JSON.parse(text) })
      })
    })
    // The answer may come before the edge has read all that is on its way.
    request.on('error', error => answered || reject(error))
    request.write('--b\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n')
    send()
  })
}

/** Sends the beginning of a photo and cuts the connection. */
function hangUpAfter(bytes: Uint8Array): Promise<void> {
  return new Promise(resolve => {
    const request = detect()
    request.on('error', () => {})
    request.on('close', resolve)
    request.write('--b\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n')
    request.write(bytes, () => request.destroy())
  })
}
