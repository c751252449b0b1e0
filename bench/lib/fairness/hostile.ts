/** Requests that cost a service much more than their sender. */
import { randomFillSync } from 'node:crypto'
import sharp from 'sharp'
import { sample } from '../../harness/client.ts'
import { type Answer, type Ask, type Asked, detecting, MULTIPART, multipart, rawly } from './http.ts'

export interface Target {
  readonly origin: string
  readonly ask: Ask
  /** Aborts requests in progress. */
  readonly signal: AbortSignal
}

/** Sends one hostile request. */
export type Hostile = (target: Target) => Promise<Answer>

const MB = 2 ** 20
const MANY_KEYS = 2_500_000

const always =
  (asked: Asked): Hostile =>
  ({ ask }) =>
    ask(asked)

/** Hostile requests by name. Each prepares its content once. */
export const HOSTILE: Readonly<Record<string, () => Promise<Hostile>>> = {
  'repeated file fields': async () => {
    const photo = randomFillSync(Buffer.alloc(9.5 * MB))
    const body = multipart([
      ['photo', photo],
      ['photo', photo],
    ])
    return always({ method: 'POST', path: '/v0/detect', headers: MULTIPART, body })
  },
  'JSON of 2.5 M keys': async () => posted('application/json', `{${keys(key => `"${key}":1`, ',')}}`),
  'form of 2.5 M keys': async () =>
    posted(
      'application/x-www-form-urlencoded',
      keys(key => `${key}=1`, '&'),
    ),
  'crowd photo': async () => always(detecting(await sample(2))),
  collage: async () => always(detecting(await collage())),
  '5000 x 5000 RGBA16 PNG': async () => always(detecting(await deepPng())),
  'MF-* headers': async () =>
    always({
      method: 'GET',
      path: '/healthz',
      headers: { 'MF-Original-URL': 'http://edge/v0/galleries', 'MF-CF-Blob': '{' },
    }),
  'slow DNS': async () => {
    let count = 0
    return ({ ask }) => {
      const body = Buffer.from(JSON.stringify({ photo: `http://name-${count++}.mien-bench.net/photo.jpg` }))
      return ask({
        method: 'POST',
        path: '/v0/detect',
        headers: { 'content-type': 'application/json' },
        body,
      })
    }
  },
  'half-sent headers': async () => raw('GET /v0/galleries HTTP/1.1\r\nHost: edge\r\nX-Half: '),
  'malformed framing': async () =>
    raw(
      'POST /v0/detect HTTP/1.1\r\nHost: edge\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n' +
        '0\r\n\r\nGET /v0/galleries HTTP/1.1\r\nHost: e dge\r\n\r\n',
    ),
}

const raw =
  (bytes: string): Hostile =>
  ({ origin, signal }) =>
    rawly(origin, bytes, signal)

const posted = (type: string, body: string): Hostile =>
  always({ method: 'POST', path: '/v0/detect', headers: { 'content-type': type }, body: Buffer.from(body) })

const keys = (field: (key: string) => string, between: string): string =>
  Array.from({ length: MANY_KEYS }, (_, i) => field(i.toString(36))).join(between)

/** A contact sheet of the package's samples: 12 Mpx, more than a hundred faces. */
async function collage(): Promise<Buffer> {
  const [columns, rows, width, height] = [5, 5, 800, 600]
  const tiles = Array.from({ length: columns * rows }, async (_, i) => {
    const file = await sample(((i % 6) + 1) as 1 | 2 | 3 | 4 | 5 | 6)
    const input = await sharp(file).resize(width, height, { fit: 'cover' }).toBuffer()
    return { input, left: (i % columns) * width, top: Math.floor(i / columns) * height }
  })
  const sheet = sharp({
    create: { width: columns * width, height: rows * height, channels: 3, background: 'grey' },
  })
  return sheet
    .composite(await Promise.all(tiles))
    .jpeg({ quality: 85 })
    .toBuffer()
}

/** A PNG of the maximum size whose file has only one or two megabytes. */
async function deepPng(): Promise<Buffer> {
  const row = Buffer.from(Uint16Array.from({ length: 5000 * 4 }, (_, i) => (i >> 8) * 800).buffer)
  const line = sharp(row, { raw: { width: 5000, height: 1, channels: 4, depth: 'ushort' } as never })
  const tall = line.resize(5000, 5000, { fit: 'fill', kernel: 'nearest' })
  return tall.toColourspace('rgb16').png({ compressionLevel: 1 }).toBuffer()
}
