/** Requests that cost a service much more than their sender. */
import { randomFillSync } from 'node:crypto'
import { connect } from 'node:net'
import sharp from 'sharp'
import { sample } from '../../harness/client.ts'
import { type Ask, posting, type Request } from '../../load.ts'
import { crowd } from '../../photos.ts'

export interface Target {
  readonly origin: string
  readonly ask: Ask
  /** Aborts requests in progress. */
  readonly signal: AbortSignal
}

/** Sends one hostile request. Resolves with the status of the response; 0 without one. */
export type Hostile = (target: Target) => Promise<number>

const MANY_KEYS = 2_500_000

const DETECT = { method: 'POST', path: '/v0/detect' } as const

/** Hostile requests by name. Each prepares its content once. */
export const HOSTILE: Readonly<Record<string, () => Promise<Hostile>>> = {
  'repeated file fields': async () => {
    const photo = randomFillSync(Buffer.alloc(9.5 * 2 ** 20))
    return always(posting('/v0/detect', photo, photo))
  },
  'JSON of 2.5 M keys': async () => typed('application/json', `{${keys(key => `"${key}":1`, ',')}}`),
  'form of 2.5 M keys': async () =>
    typed(
      'application/x-www-form-urlencoded',
      keys(key => `${key}=1`, '&'),
    ),
  'crowd photo': async () => detecting(await sample(2)),
  collage: async () => detecting(await (await crowd(4000, 3000, 6)).jpeg({ quality: 85 }).toBuffer()),
  '5000 x 5000 RGBA16 PNG': async () => detecting(await deepPng()),
  'MF-* headers': async () =>
    always({
      method: 'GET',
      path: '/healthz',
      headers: { 'MF-Original-URL': 'http://edge/v0/galleries', 'MF-CF-Blob': '{' },
    }),
  'slow DNS': async () => {
    let count = 0
    return target =>
      typed(
        'application/json',
        JSON.stringify({ photo: `http://name-${count++}.mien-bench.net/a.jpg` }),
      )(target)
  },
  'half-sent headers': async () => raw('GET /v0/galleries HTTP/1.1\r\nHost: edge\r\nX-Half: '),
  'malformed framing': async () =>
    raw(
      'POST /v0/detect HTTP/1.1\r\nHost: edge\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n' +
        '0\r\n\r\nGET /v0/galleries HTTP/1.1\r\nHost: e dge\r\n\r\n',
    ),
}

const always =
  (request: Request): Hostile =>
  async ({ ask }) =>
    (await ask(request)).status

const detecting = (photo: Uint8Array): Hostile => always(posting('/v0/detect', photo))

const typed = (type: string, body: string): Hostile =>
  always({ ...DETECT, headers: { 'content-type': type }, body: Buffer.from(body) })

const keys = (field: (key: string) => string, between: string): string =>
  Array.from({ length: MANY_KEYS }, (_, i) => field(i.toString(36))).join(between)

/** A PNG of the maximum size whose file has only one or two megabytes. */
async function deepPng(): Promise<Buffer> {
  const row = Buffer.from(Uint16Array.from({ length: 5000 * 4 }, (_, i) => (i >> 8) * 800).buffer)
  const line = sharp(row, { raw: { width: 5000, height: 1, channels: 4, depth: 'ushort' } as never })
  const tall = line.resize(5000, 5000, { fit: 'fill', kernel: 'nearest' })
  return tall.toColourspace('rgb16').png({ compressionLevel: 1 }).toBuffer()
}

/** Maximum time for which a raw connection stays open when the service does not close it. */
const HELD_MS = 2_000

/** Sends these bytes over a new connection. */
const raw =
  (bytes: string): Hostile =>
  ({ origin, signal }) =>
    new Promise(resolve => {
      const { hostname, port } = new URL(origin)
      const socket = connect(Number(port), hostname)
      const done = (status: number) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        socket.destroy()
        resolve(status)
      }
      const end = () => done(0)
      const timer = setTimeout(end, HELD_MS)
      signal.addEventListener('abort', end)
      socket.on('error', end).on('close', end)
      socket.on('data', data => done(Number(/^HTTP\/1.1 (\d+)/.exec(data.toString('latin1'))?.[1] ?? 0)))
      socket.write(bytes)
    })
