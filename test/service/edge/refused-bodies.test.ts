/** Bodies that the edge refuses before they have arrived, and answers without content of uploaded files. */
import { request } from 'node:http'
import { connect } from 'node:net'
import { inject } from 'vitest'
import { REQUEST_LIMITS } from '#contract/limits/requests.ts'
import { form, type Send, sample } from '#test/support/client.ts'
import { freshApi } from './shared.ts'

interface Answered {
  status: number
  text: string
}

/** Sends the pieces of a body with the announced length and reads the answer; more may be announced than is sent. */
function post(path: string, type: string, announced: number, pieces: string[]): Promise<Answered> {
  const { hostname, port, host } = new URL(inject('edge'))
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', chunk => {
      text += chunk
      const [headers = '', ...rest] = text.split('\r\n\r\n')
      const body = rest.join('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(headers)?.[1])
      if (body.length < length) return
      socket.destroy()
      resolve({ status: Number(headers.split(' ')[1]), text: body })
    })
    socket.on('error', reject)
    socket.on('end', () => reject(new Error('There was no answer.')))
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Token ${inject('token')}\r\n` +
        `Content-Type: ${type}\r\nContent-Length: ${announced}\r\n\r\n`,
    )
    for (const piece of pieces) socket.write(piece)
  })
}

const MULTIPART = 'multipart/form-data; boundary=b'
const part = (name: string, more = '; filename="x.jpg"') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`

it.each([
  ['a second threshold', '/v0/verify', [`${part('threshold', '')}1\r\n`, part('threshold', '')], 'threshold'],
  ['a second file', '/v0/detect', [part('photo'), 'a photo', `\r\n${part('photo[]')}`], 'photo'],
  ['a file as a text', '/v0/face', [part('meta')], 'meta'],
  ['too many parts', '/v0/face', [`${part('x', '')}\r\n`.repeat(REQUEST_LIMITS.requestFields + 1)], 'body'],
])('a multipart body is refused before it has arrived when it has %s', async (_, path, pieces, param) => {
  const { status, text } = await post(path, MULTIPART, 20_000_000, pieces)
  expect({ status, ...JSON.parse(text) }).toMatchObject({ status: 400, code: 'BAD_PARAM', param })
})

/** Sends a body in chunks, without a length, and returns the status. */
const sentInChunks = (method: string, path: string, body: Uint8Array): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Token ${inject('token')}`,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    }
    const asked = request(`${inject('edge')}${path}`, { method, headers }, answer => {
      answer.resume()
      resolve(answer.statusCode)
    })
    asked.on('error', reject)
    asked.end(body)
  })

describe('a body without a length', () => {
  it.each(['/healthz', '/session', '/docs'])('that GET %s does not read changes no answer', async path => {
    for (let i = 0; i < 20; i++) expect(await sentInChunks('GET', path, Buffer.from('{}'))).toBe(200)
  })

  it('of a GET has parameters', async () => {
    const answered = (body: string) => sentInChunks('GET', '/v0/history/search', Buffer.from(body))
    expect(await answered('{"start": "noon"}')).toBe(400)
    expect(await answered('{"limit": 1}')).toBe(200)
  })

  it('that is too large for a sign-in is refused', async () => {
    for (let i = 0; i < 10; i++) expect(await sentInChunks('POST', '/session', Buffer.alloc(3e6))).toBe(413)
  })
})

describe('an answer', () => {
  let api: Send
  beforeAll(() => {
    api = freshApi()
  })

  const SECRET = 'secret of a file'
  const secret = Buffer.from(SECRET)

  it.each(['photo', 'meta', 'bbox[x1]', 'galleries[add][]', 'detectorParams', '__proto__'])(
    'contains nothing of a file sent as %s',
    async name => {
      for (const type of ['image/jpeg', 'application/json']) {
        const body = form({ photo: name === 'photo' ? undefined : 'http://a.invalid/x.jpg' })
        body.append(name, new File([secret], 'x', { type }))
        for (const path of ['/v0/face', '/v0/identify', '/v0/galleries']) {
          const answered = await api('POST', path, body)
          const text = JSON.stringify(answered.body)
          expect(answered.status, text).toBeLessThan(500)
          expect(text).not.toContain(SECRET)
          expect(text).not.toContain([...secret].slice(0, 3).join())
        }
      }
    },
  )

  it('names ignored parameters in X-Ignored-Parameters', { tags: 'long' }, async () => {
    const ignored = async (method: string, path: string, body?: BodyInit | object) =>
      (await api(method, path, body)).headers.get('x-ignored-parameters')
    const photo = 'http://a.invalid/x.jpg'
    expect(await ignored('POST', '/v0/identify?colour=1', { photo, treshold: 1, 'a,\r\nb': 1 })).toBe(
      'colour, treshold; did-you-mean=threshold, a%2C%0D%0Ab',
    )
    const attributes = 'age; only-in=v1, gender; only-in=v1, emotions; only-in=v1'
    const sent = { age: '1', gender: 'yes', emotions: 'true' }
    expect(await ignored('POST', '/v0/detect', form({ photo: await sample(3), ...sent }))).toBe(attributes)
    expect(await ignored('POST', '/v0/face', { photo, face0: 'x', face1: 'x' })).toBe('face1')
    expect(await ignored('GET', '/v0/faces')).toBeNull()
  })
})
