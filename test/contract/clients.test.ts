/** Requests that clients of the original product send, byte for byte where it matters. */
import { connect } from 'node:net'
import { inject } from 'vitest'
import { api } from '../service/edge/shared.ts'
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

  it('may send a photo with any type and name, and without both', async () => {
    const [photo] = await photos()
    const part = (head: string) =>
      new Blob([
        `--b\r\nContent-Disposition: form-data; name="photo"${head}\r\n\r\n`,
        photo!,
        '\r\n--b--\r\n',
      ])
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
