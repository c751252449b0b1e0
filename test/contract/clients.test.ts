/** Requests that clients of the original product send, byte for byte where it matters, and the answers that they expect. */
import { connect } from 'node:net'
import { inject } from 'vitest'
import { form, type Send } from '#test/support/client.ts'
import { freshApi } from '../service/edge/shared.ts'
import { photos } from './requests.ts'

interface Raw {
  status: number
  body: string
}

/** Sends these lines unchanged and reads the answer to the end of the connection. */
function raw(lines: string[], body = ''): Promise<Raw> {
  const { hostname, port, host } = new URL(inject('edge'))
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('end', () => {
      const [head = '', ...rest] = text.split('\r\n\r\n')
      resolve({ status: Number(head.split(' ')[1]), body: rest.join('\r\n\r\n') })
    })
    const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
    socket.write([...lines, `Host: ${host}`, ...length, 'Connection: close', '', body].join('\r\n'))
  })
}

describe('a client of the original product', () => {
  let api: Send
  let photo: Uint8Array<ArrayBuffer>
  beforeAll(async () => {
    api = freshApi()
    photo = (await photos())[0]!
    await api('POST', '/v0/galleries/a')
  })

  it.each(['Authorization: Token ', 'AUTHORIZATION:  TOKEN  ', 'authorization:bearer '])(
    'may write the header "%s"',
    async header => {
      const { status } = await raw(['GET /v0/galleries HTTP/1.1', `${header}${inject('token')}`])
      expect(status).toBe(200)
    },
  )

  it('may send a body with a GET', async () => {
    const lines = [
      'GET /v0/history/search HTTP/1.1',
      `Authorization: Token ${inject('token')}`,
      'Content-Type: application/json',
    ]
    const answered = await raw(lines, '{"start": "noon"}')
    expect(answered.status).toBe(400)
    expect(answered.body).toContain('"param":"start"')
    await expect(raw(lines, '{"limit": 1}')).toAnswer(200)
  })

  it('gets times with six decimals and hashes as hexadecimal bytes', async () => {
    const [face] = (
      await api('POST', '/v0/face', form({ photo, timestamp: '2017-05-17T08:58:00.930572+00:00' }))
    ).body.results
    expect(face.timestamp).toBe('2017-05-17T08:58:00.930572')
    expect(face.photo_hash).toMatch(/^(?:[0-9a-f]{2})+$/)
    expect(Buffer.from(face.photo_hash, 'hex').toString('hex')).toBe(face.photo_hash)
  })

  it('may append junk to a query and slashes to a path', async () => {
    expect((await api('GET', '/v0/faces?max_id=5&/')).body).toMatchObject({ results: [], next_page: null })
    await expect(api('GET', '/v0/galleries/?')).toAnswer(200)
  })

  it('may send a photo with any type and name, and without both', async () => {
    const part = (head: string) =>
      new Blob([`--b\r\nContent-Disposition: form-data; name="photo"${head}\r\n\r\n`, photo, '\r\n--b--\r\n'])
    for (const head of [
      '; filename="x.gif"',
      '; filename=""',
      '',
      '; filename="x"\r\nContent-Type: text/plain',
    ])
      expect(
        (await api('POST', '/v0/detect', part(head), { 'content-type': 'multipart/form-data; boundary=b' }))
          .status,
        head,
      ).toBe(200)
  })
})
