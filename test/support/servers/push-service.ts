/** A push service for one browser: keeps the messages that it gets, and decrypts them as the browser does. */
import { createDecipheriv, createECDH, type ECDH, hkdfSync } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { serve } from './served.ts'

/** `host` is its address, `subscription` the subscription of the browser, and `shown` returns the texts of the messages. */
export async function startPushService() {
  const key = createECDH('prime256v1')
  const p256dh = key.generateKeys('base64url')
  const auth = Buffer.alloc(16, 7)
  const received: { headers: NodeJS.Dict<string | string[]>; body: Buffer }[] = []
  const service = { status: 201 }
  const origin = await serve(async (request, response) => {
    received.push({ headers: request.headers, body: await buffer(request) })
    response.writeHead(service.status).end()
  })
  const { host } = new URL(origin)
  const subscription = { endpoint: `${origin}/push/secret`, p256dh, auth: auth.toString('base64url') }
  const shown = () => received.map(({ body }) => JSON.parse(decrypted(body, key, auth)))
  return { host, subscription, received, service, shown }
}

const derived = (key: Uint8Array, salt: Uint8Array, info: Uint8Array | string, bytes: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes))

/** Decrypts a message of one record as a browser does: RFC 8188 and 8291. */
function decrypted(body: Buffer, key: ECDH, auth: Buffer) {
  const salt = body.subarray(0, 16)
  const sender = body.subarray(21, 21 + body[20]!)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), key.getPublicKey(), sender])
  const secret = derived(key.computeSecret(sender), auth, info, 32)
  const contentKey = derived(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derived(secret, salt, 'Content-Encoding: nonce\0', 12)
  const record = body.subarray(21 + body[20]!)
  const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce).setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(2)).toString()
}
