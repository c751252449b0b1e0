/** Downloads from servers that stall, break off, lie about what they send, and redirect; and through a proxy. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type DownloadSettings, download } from '../../../../commands/models/download.ts'
import { LIMITS } from '../../../../core/contract/limits.ts'
import { temporaryFolder } from '../../core/folder.ts'

const FILE = randomBytes(300_000)
const SHA256 = createHash('sha256').update(FILE).digest('hex')

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** The origin of a server that answers so; closed with the test. */
async function served(listener: Listener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What a well-behaved server does, with ranges. */
const well: Listener = ({ headers }, response) => {
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
  if (from === 0)
    return void response.writeHead(200, { etag: '"1"', 'content-length': FILE.length }).end(FILE)
  const range = `bytes ${from}-${FILE.length - 1}/${FILE.length}`
  response.writeHead(206, { etag: '"1"', 'content-range': range }).end(FILE.subarray(from))
}

/** Sends so many bytes of the rest that is asked for and then cuts the connection. */
const brokenOffAfter = (bytes: number, { headers }: IncomingMessage, response: ServerResponse): void => {
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
  const range = `bytes ${from}-${FILE.length - 1}/${FILE.length}`
  response.writeHead(from === 0 ? 200 : 206, from === 0 ? {} : { 'content-range': range })
  // What is cut off at once may not have been sent yet.
  response.write(FILE.subarray(from, from + bytes), () => setTimeout(() => response.destroy(), 20))
}

let path = ''
beforeEach(async () => {
  path = join(await temporaryFolder(), 'packs', 'some', 'file.onnx')
})

const from = (origin: string, settings: Partial<DownloadSettings> = {}) =>
  download(
    { url: `${origin}/file.onnx`, sha256: SHA256, bytes: FILE.length },
    { path, pauseMs: 1, silenceMs: 300, env: {}, ...settings },
  )

const isThere = async () => {
  expect((await readFile(path)).equals(FILE)).toBe(true)
  expect(existsSync(`${path}.partial`)).toBe(false)
}

describe('a download', () => {
  it('puts the file at its place, and says how far it is', async () => {
    const told: number[] = []
    await from(await served(well), { onProgress: bytes => told.push(bytes) })
    await isThere()
    expect(told.at(-1)).toBe(FILE.length)
    expect(told).toEqual([...told].sort((a, b) => a - b))
  })

  it('goes on where the server broke off, time and again, with the version that it began', async () => {
    const asked: (string | undefined)[] = []
    const origin = await served((request, response) => {
      asked.push(request.headers.range)
      if (asked.length > 1) expect(request.headers['if-range']).toBe('"1"')
      response.setHeader('etag', '"1"')
      brokenOffAfter(70_000, request, response)
    })
    await from(origin)
    await isThere()
    expect(asked.length).toBeGreaterThanOrEqual(5)
    expect(asked[0]).toBeUndefined()
    expect(asked.at(-1)).toMatch(/^bytes=\d{5,}-$/)
  })

  it('goes on with what an earlier one left', async () => {
    const broken = await served((request, response) => brokenOffAfter(10, request, response))
    await expect(from(broken)).rejects.toThrow()
    const left = (await stat(`${path}.partial`)).size
    expect(left).toBeGreaterThan(0)
    const asked: (string | undefined)[] = []
    const whole = await served((request, response) => {
      asked.push(request.headers.range)
      well(request, response)
    })
    await from(whole)
    await isThere()
    expect(asked).toEqual([`bytes=${left}-`])
  })

  it('begins anew when what an earlier one left is of another file', async () => {
    await from(await served((_, response) => response.writeHead(404).end())).catch(() => {})
    await writeFile(`${path}.partial`, randomBytes(200_000))
    await from(await served(well))
    await isThere()
  })

  it('begins anew when the server has another version by now', async () => {
    let requests = 0
    const origin = await served((request, response) => {
      requests++
      if (requests === 1) return brokenOffAfter(50_000, request, response)
      // If-Range does not hold any more: the whole file.
      response.writeHead(200).end(FILE)
    })
    await from(origin)
    await isThere()
  })

  it.each([
    ['is silent before it answers', (_: IncomingMessage, __: ServerResponse) => {}],
    [
      'is silent half-way',
      (_: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(200).write(FILE.subarray(0, 999)),
    ],
    [
      'is not ready yet',
      (_: IncomingMessage, response: ServerResponse) => void response.writeHead(503).end(),
    ],
    ['hangs up', (request: IncomingMessage) => void request.socket.destroy()],
    [
      'continues from another byte',
      ({ headers }: IncomingMessage, response: ServerResponse) => {
        if (!headers.range)
          return void response.writeHead(200).write(FILE.subarray(0, 999), () => response.destroy())
        response
          .writeHead(206, { 'content-range': `bytes 5-${FILE.length - 1}/${FILE.length}` })
          .end(FILE.subarray(5))
      },
    ],
    [
      'has no such range',
      ({ headers }: IncomingMessage, response: ServerResponse) => {
        if (!headers.range)
          return void response.writeHead(200).write(FILE.subarray(0, 999), () => response.destroy())
        response.writeHead(416, { 'content-range': `bytes */${FILE.length}` }).end()
      },
    ],
  ])('tries again when the server %s', async (_, listener) => {
    let requests = 0
    const origin = await served((request, response) => {
      requests++
      if (requests <= 2) listener(request, response)
      else well(request, response)
    })
    await from(origin)
    await isThere()
  })

  it('follows redirections', async () => {
    const target = await served(well)
    await from(await served((_, response) => response.writeHead(302, { location: `${target}/other` }).end()))
    await isThere()
  })
})

describe('a download is refused', () => {
  const changed = Buffer.from(FILE)
  changed[5_000]! ^= 1

  it.each([
    [
      'there is no such file',
      /404/,
      (_: IncomingMessage, response: ServerResponse) => void response.writeHead(404).end(),
    ],
    [
      'its content is another one of the same length',
      /SHA-256/,
      (_: IncomingMessage, response: ServerResponse) => void response.end(changed),
    ],
    [
      'the server announces another length',
      /pinned/,
      (_: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(200, { 'content-length': 5 }).end('hello'),
    ],
    [
      'the server sends without end',
      /more than is pinned/,
      (_: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200)
        const more = () => {
          if (!response.destroyed) response.write(FILE, more)
        }
        more()
      },
    ],
    [
      'it always ends early',
      /broke off/,
      (_: IncomingMessage, response: ServerResponse) => {
        response.write(FILE.subarray(0, 10))
        response.end()
      },
    ],
    ['the server is always silent', /silent/, (_: IncomingMessage, __: ServerResponse) => {}],
    [
      'it is compressed on its way',
      /200/,
      (_: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
    ],
    [
      'it is redirected round and round',
      /too often/,
      ({ url }: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(302, { location: `${url}x` }).end(),
    ],
    [
      'it is redirected to a file of this machine',
      /redirected to where/,
      (_: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    ],
  ])('when %s', async (_, message, listener) => {
    let requests = 0
    const origin = await served((request, response) => {
      requests++
      listener(request, response)
    })
    await expect(from(origin, { silenceMs: 50 })).rejects.toThrow(message)
    expect(existsSync(path)).toBe(false)
    expect(requests).toBeLessThanOrEqual(Math.max(LIMITS.downloadAttempts, LIMITS.downloadRedirects + 1))
  })

  it('and nothing of another content is left', async () => {
    await from(await served((_, response) => void response.end(changed))).catch(() => {})
    expect(existsSync(`${path}.partial`)).toBe(false)
  })
})

describe('a proxy of the environment', () => {
  /** An HTTP proxy that notes what it is asked for. */
  async function proxy(asked: string[]): Promise<string> {
    return served((incoming, response) => {
      asked.push(incoming.url ?? '')
      const passed = request(incoming.url ?? '', { headers: incoming.headers, method: 'GET' }, answer => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      passed.on('error', () => response.destroy())
      passed.end()
    })
  }

  it('is used', async () => {
    const asked: string[] = []
    const origin = await served(well)
    await from(origin, { env: { HTTP_PROXY: await proxy(asked) } })
    await isThere()
    expect(asked).toEqual([`${origin}/file.onnx`])
  })

  it('is not used for hosts that NO_PROXY names', async () => {
    const asked: string[] = []
    await from(await served(well), { env: { http_proxy: await proxy(asked), no_proxy: '127.0.0.1' } })
    await isThere()
    expect(asked).toEqual([])
  })

  it('that is not there is told', async () => {
    await expect(from(await served(well), { env: { HTTP_PROXY: 'http://127.0.0.1:9' } })).rejects.toThrow(
      'ECONNREFUSED',
    )
  })
})
