/** Downloads from servers that stall, disconnect, send wrong content or redirect; and through a proxy. */
import { hash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http'
import { PACK_LIMITS } from '#contract/limits/packs.ts'
import { type DownloadSettings, download } from '#core/packs/download.ts'
import { serve } from '#test/support/servers/served.ts'
import { temporaryPath } from '../folder.ts'

const FILE = randomBytes(300_000)
const SHA256 = hash('sha256', FILE)

/** Serves the file, with support for ranges. */
const serveFile: RequestListener = ({ headers }, response) => {
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
  if (from === 0)
    return void response.writeHead(200, { etag: '"1"', 'content-length': FILE.length }).end(FILE)
  const range = `bytes ${from}-${FILE.length - 1}/${FILE.length}`
  response.writeHead(206, { etag: '"1"', 'content-range': range }).end(FILE.subarray(from))
}

/** Sends this many bytes of the requested range and then closes the connection. */
const disconnectAfter = (bytes: number, { headers }: IncomingMessage, response: ServerResponse) => {
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
  const range = `bytes ${from}-${FILE.length - 1}/${FILE.length}`
  response.writeHead(from === 0 ? 200 : 206, from === 0 ? {} : { 'content-range': range })
  // The delay lets the bytes leave before the connection closes.
  response.write(FILE.subarray(from, from + bytes), () => setTimeout(() => response.destroy(), 20))
}

/** Breaks off once; to the range that continues, answers with this status and range. */
const beforeRange =
  (status: number, range: string): RequestListener =>
  ({ headers }, response) => {
    if (!headers.range) response.writeHead(200).write(FILE.subarray(0, 999), () => response.destroy())
    else response.writeHead(status, { 'content-range': range }).end(FILE.subarray(5))
  }

let path = ''
beforeEach(async () => {
  path = await temporaryPath('packs', 'some', 'file.onnx')
})

const from = (origin: string, settings: Partial<DownloadSettings> = {}) =>
  download(
    { url: `${origin}/file.onnx`, sha256: SHA256, bytes: FILE.length },
    { path, pauseMs: 1, silenceMs: 5_000, env: {}, ...settings },
  )

const expectFile = async () => {
  expect((await readFile(path)).equals(FILE)).toBe(true)
  expect(existsSync(`${path}.partial`)).toBe(false)
}

describe('download', () => {
  it('resumes after each disconnect, with If-Range for the version that it began', async () => {
    const asked: (string | undefined)[] = []
    const origin = await serve((request, response) => {
      asked.push(request.headers.range)
      if (request.headers.range) expect(request.headers['if-range']).toBe('"1"')
      response.setHeader('etag', '"1"')
      disconnectAfter(70_000, request, response)
    })
    await from(origin)
    await expectFile()
    expect(asked.length).toBeGreaterThanOrEqual(5)
    expect(asked[0]).toBeUndefined()
    expect(asked.at(-1)).toMatch(/^bytes=\d{5,}-$/)
  })

  it('resumes the partial file of an earlier download', async () => {
    const broken = await serve((request, response) => disconnectAfter(10, request, response))
    await expect(from(broken)).rejects.toThrow()
    const left = (await stat(`${path}.partial`)).size
    expect(left).toBeGreaterThan(0)
    const asked: (string | undefined)[] = []
    const whole = await serve((request, response) => {
      asked.push(request.headers.range)
      serveFile(request, response)
    })
    await from(whole)
    await expectFile()
    expect(asked).toEqual([`bytes=${left}-`])
  })

  it('starts again when the server has a new version', async () => {
    let requests = 0
    const origin = await serve((request, response) => {
      requests++
      if (requests === 1) return disconnectAfter(50_000, request, response)
      // If-Range no longer matches: the server sends the whole file.
      response.writeHead(200).end(FILE)
    })
    await from(origin)
    await expectFile()
  })

  it.each<[string, RequestListener]>([
    ['stalls after some bytes', (_, response) => void response.writeHead(200).write(FILE.subarray(0, 999))],
    ['answers 503', (_, response) => void response.writeHead(503).end()],
    ['closes the connection', request => void request.socket.destroy()],
    ['continues from another byte', beforeRange(206, `bytes 5-${FILE.length - 1}/${FILE.length}`)],
    ['answers 416 to the range', beforeRange(416, `bytes */${FILE.length}`)],
  ])('retries when the server %s', async (_, listener) => {
    let requests = 0
    const origin = await serve((request, response) => {
      requests++
      if (requests <= 2) listener(request, response)
      else serveFile(request, response)
    })
    await from(origin, { silenceMs: 500 })
    await expectFile()
  })

  it('follows redirections', async () => {
    const target = await serve(serveFile)
    await from(await serve((_, response) => response.writeHead(302, { location: `${target}/other` }).end()))
    await expectFile()
  })
})

describe('failing download', () => {
  const changed = Buffer.from(FILE)
  changed[5_000]! ^= 1

  it.each<[string, RegExp, RequestListener]>([
    ['the server answers 404', /404/, (_, response) => void response.writeHead(404).end()],
    ['the content differs at the same length', /SHA-256/, (_, response) => void response.end(changed)],
    [
      'the server sends endless data',
      /more than is pinned/,
      (_, response) => {
        const more = () => {
          if (!response.destroyed) response.write(FILE, more)
        }
        more()
      },
    ],
    ['the server announces another length', /pinned/, (_, response) => void response.end('hello')],
    [
      'the server always sends too few bytes',
      /broke off/,
      (_, response) => void response.write(FILE.subarray(0, 10), () => response.end()),
    ],
    ['the server never answers', /silent/, () => {}],
    [
      'the redirects never end',
      /too often/,
      ({ url }, response) => void response.writeHead(302, { location: `${url}x` }).end(),
    ],
    [
      'the server redirects to a local file',
      /redirected to where/,
      (_, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    ],
  ])('rejects when %s', async (_, message, listener) => {
    let requests = 0
    const origin = await serve((request, response) => {
      requests++
      listener(request, response)
    })
    await expect(from(origin, { silenceMs: 250 })).rejects.toThrow(message)
    expect(existsSync(path)).toBe(false)
    expect(requests).toBeLessThanOrEqual(
      Math.max(PACK_LIMITS.downloadAttempts, PACK_LIMITS.downloadRedirects + 1),
    )
  })

  it('keeps no partial file of wrong content', async () => {
    await from(await serve((_, response) => void response.end(changed))).catch(() => {})
    expect(existsSync(`${path}.partial`)).toBe(false)
  })
})

/** An HTTP proxy that records the requested URLs. */
async function proxy(asked: string[]) {
  return serve((incoming, response) => {
    asked.push(incoming.url ?? '')
    const passed = request(incoming.url ?? '', { headers: incoming.headers, method: 'GET' }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    passed.end()
  })
}

it('download with a proxy in the environment sends its requests through HTTP_PROXY', async () => {
  const asked: string[] = []
  const origin = await serve(serveFile)
  await from(origin, { env: { HTTP_PROXY: await proxy(asked) } })
  await expectFile()
  expect(asked).toEqual([`${origin}/file.onnx`])
})
