/** A bucket for pictures: Swift behind an HTTPS proxy that can fail, be slow, or show an expired certificate. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { KEYS, startSwift } from '../../harness/swift.ts'
import type { Fault } from '../cluster/faults.ts'

const SLOW_MS = 4_000
/** Of this many requests, one fails. */
const FAILING = 3

export interface GameBucket {
  /** Settings of cores that keep pictures in this bucket. */
  settings: Record<string, string>
  faults: Fault[]
  stop(): Promise<void>
}

/** Listens at this address. The certificates are in the folder. */
export async function startBucket(address: string, folder: string): Promise<GameBucket> {
  const swift = await startSwift()
  const bucket = await swift.makeBucket()
  const certificates = makeCertificates(folder, address)
  let suffer: (answer: ServerResponse) => Promise<boolean> = async () => false

  const server = createServer(certificates.valid, async (incoming, answer) => {
    const body = await buffer(incoming).catch(() => Buffer.alloc(0))
    if (await suffer(answer)) return
    const { method, url, rawHeaders } = incoming
    const { hostname, port } = new URL(swift.origin)
    // The signature covers the host name of this proxy.
    const passed = request({ hostname, port, method, path: url, headers: rawHeaders as never })
    passed.on('error', () => answer.destroy())
    passed.on('response', (told: IncomingMessage) => {
      answer.writeHead(told.statusCode!, told.headers)
      told.pipe(answer)
    })
    passed.end(body)
  }).listen(0, address)
  await once(server, 'listening')
  const origin = `https://${address}:${(server.address() as AddressInfo).port}`

  const fault = (name: string, fate: typeof suffer): Fault => ({
    name,
    async begin() {
      suffer = fate
      return async () => {
        suffer = async () => false
      }
    },
  })
  let asked = 0
  return {
    settings: {
      MIEN_STORE_PICTURES: 'true',
      MIEN_PICTURES: `s3://${bucket}/site?endpoint=${origin}`,
      MIEN_S3_ACCESS_KEY_ID: KEYS.accessKeyId,
      MIEN_S3_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
      NODE_EXTRA_CA_CERTS: join(folder, CA),
    },
    faults: [
      fault('bucket answers 500 to one in three', async answer => {
        if (asked++ % FAILING !== 0) return false
        answer.writeHead(500).end('<Error><Code>InternalError</Code></Error>')
        return true
      }),
      fault('bucket answers slowly', async () => {
        await sleep(SLOW_MS)
        return false
      }),
      {
        name: 'certificate of the bucket expired',
        async begin() {
          server.setSecureContext(certificates.expired)
          server.closeAllConnections()
          return async () => server.setSecureContext(certificates.valid)
        },
      },
    ],
    async stop() {
      server.close()
      server.closeAllConnections()
      await swift.stop()
    },
  }
}

const CA = 'ca.pem'

/** An authority, and a valid and an expired certificate of it for this address. */
function makeCertificates(folder: string, address: string) {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...key, '-days', '2', '-subj', '/CN=game day', '-keyout', 'ca.key', '-out', CA)
  openssl(
    ...['req', ...key, '-subj', '/CN=bucket', '-addext', `subjectAltName=IP:${address}`],
    ...['-keyout', 'bucket.key', '-out', 'bucket.csr'],
  )
  const sign = (name: string, days: string) =>
    openssl(
      ...['x509', '-req', '-in', 'bucket.csr', '-CA', CA, '-CAkey', 'ca.key', '-CAcreateserial'],
      ...['-copy_extensions', 'copyall', '-days', days, '-out', name],
    )
  sign('valid.pem', '2')
  sign('expired.pem', '-1')
  const read = (name: string) => readFileSync(join(folder, name))
  return {
    valid: { key: read('bucket.key'), cert: read('valid.pem') },
    expired: { key: read('bucket.key'), cert: read('expired.pem') },
  }
}
