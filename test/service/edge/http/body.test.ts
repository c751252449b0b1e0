/** Bodies that never end. */
import { request as httpRequest } from 'node:http'
import { inject } from 'vitest'

it('answers 413 to an endless body while it still arrives', async () => {
  let answer = await sendForever()
  // The edge admits a body of this size only while no other test sends one.
  while (answer.status === 503) answer = await sendForever()
  const { status, body } = answer
  expect({ status, code: body.code }).toEqual({ status: 413, code: 'PHOTO_TOO_LARGE' })
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
