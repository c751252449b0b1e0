/** A bucket for pictures: Swift behind an HTTPS proxy that can fail, be slow, or show an expired certificate. */
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { KEYS, startSwift } from '../../harness/swift.ts'
import type { Fault } from '../cluster/faults.ts'
import { type Certificates, startTlsProxy } from './tls-proxy.ts'

const SLOW_MS = 4_000
/** Of this many requests, one fails. */
const FAILING = 3

export interface GameBucket {
  /** Settings of cores that keep pictures in this bucket. */
  settings: Record<string, string>
  faults: Fault[]
  stop(): Promise<void>
}

/** Listens at this address, which the certificates are for. */
export async function startBucket(address: string, certificates: Certificates): Promise<GameBucket> {
  const swift = await startSwift()
  const bucket = await swift.makeBucket()
  let suffer: (answer: ServerResponse) => Promise<boolean> = async () => false
  const proxy = await startTlsProxy({
    ...{ address, certificates },
    target: swift.origin,
    suffer: answer => suffer(answer),
  })

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
      MIEN_PICTURES: `s3://${bucket}/site?endpoint=${proxy.origin}`,
      MIEN_S3_ACCESS_KEY_ID: KEYS.accessKeyId,
      MIEN_S3_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
      NODE_EXTRA_CA_CERTS: certificates.authority,
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
          proxy.expire()
          return async () => proxy.renew()
        },
      },
    ],
    async stop() {
      proxy.stop()
      await swift.stop()
    },
  }
}
