import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, inject, it, vi } from 'vitest'
import { sample } from '../../../../bench/harness/client.ts'
import { LIMITS } from '../../../../core/contract/limits.ts'
import { admission } from '../../../../edge/admission/admission.ts'
import { readBody } from '../../../../edge/http/body.ts'

const requestOf = (body: ReadableStream, headers: Record<string, string> = {}) =>
  new Request('http://mien.test/v0/detect', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)

/** Reads the body of the only request in the isolate. */
const read = async (request: Request) =>
  readBody(request, await admission().acquire('a token', 0), { most: LIMITS.bodyBytes })

describe('readBody', () => {
  afterEach(() => vi.useRealTimers())

  it('reads all bytes of a body in chunks', async () => {
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

  it('refuses an announced size above the limit without reading the body', async () => {
    const body = new ReadableStream(
      { type: 'bytes', pull: () => expect.unreachable('the body was read') },
      { highWaterMark: 0 },
    )
    const headers = { 'content-length': String(LIMITS.bodyBytes + 1) }
    await expect(read(requestOf(body, headers))).rejects.toMatchObject({ code: 'PHOTO_TOO_LARGE' })
  })

  it('refuses and cancels a body that stalls beyond LIMITS.bodyArrivalMs', async () => {
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

  it('refuses a body that breaks off', async () => {
    const pull = (controller: ReadableByteStreamController) => controller.error(new Error('reset'))
    const body = new ReadableStream({ type: 'bytes', pull })
    await expect(read(requestOf(body))).rejects.toMatchObject({ code: 'BAD_PARAM' })
  })
})

describe('the running edge', () => {
  it('answers 413 to an endless body while it still arrives', async () => {
    let answer = await sendForever()
    // The edge admits a body of this size only while no other test sends one.
    while (answer.status === 503) answer = await sendForever()
    const { status, body } = answer
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'PHOTO_TOO_LARGE' })
  })

  it('keeps answering after callers disconnect during uploads', async () => {
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

/** Sends an endless chunked photo until an answer arrives. */
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
    // The answer may arrive before the edge has read all sent bytes.
    request.on('error', error => answered || reject(error))
    request.write('--b\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n')
    send()
  })
}

/** Sends the beginning of a photo and closes the connection. */
function hangUpAfter(bytes: Uint8Array): Promise<void> {
  return new Promise(resolve => {
    const request = detect()
    request.on('error', () => {})
    request.on('close', resolve)
    request.write('--b\r\nContent-Disposition: form-data; name="photo"; filename="p.jpg"\r\n\r\n')
    request.write(bytes, () => request.destroy())
  })
}
