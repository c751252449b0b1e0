/** Faults behind HTTPS proxies: a bucket that fails, is slow, or shows an expired certificate; and expired certificates of cores. */
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { KEYS, startSwift } from '../../harness/swift.ts'
import type { Rig } from '../../rig.ts'
import type { Cluster } from './cluster.ts'
import type { Fault } from './faults.ts'
import type { Node } from './node.ts'
import { type Certificates, startTlsProxy, type TlsProxy } from './tls-proxy.ts'

const SLOW_MS = 4_000
/** Of this many requests, one fails. */
const FAILING = 3

/** A bucket for pictures: Swift behind a proxy that listens at this address, which the certificates are for. */
export async function startBucket(address: string, certificates: Certificates, rig: Rig) {
  const swift = await startSwift()
  rig.defer(swift.stop)
  const bucket = await swift.makeBucket()
  const well = async (_: ServerResponse) => false
  let suffer = well
  const proxy = await startTlsProxy({
    ...{ address, certificates, target: swift.origin },
    suffer: answer => suffer(answer),
  })
  rig.defer(proxy.stop)
  const fault = (name: string, fate: typeof suffer): Fault => ({
    name,
    async begin() {
      suffer = fate
      return () => {
        suffer = well
      }
    },
  })
  let asked = 0
  return {
    /** Settings of cores that keep pictures in this bucket. */
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
          return () => proxy.renew()
        },
      },
    ] satisfies Fault[],
  }
}

/** Time in which edges send a request through each proxy. */
const USED_MS = 30_000
/** nginx uses a restarted edge again after this time: `fail_timeout` in deploy/nginx/mien.conf, and a margin. */
const EDGE_AWAY_MS = 6_000

/** Certificates between edges and cores that expire. Edges reach the cores through proxies at this address during these faults. */
export function coreCertificates(address: string, certificates: Certificates) {
  const settings = new Map<string, string[]>()
  /** Restarts one edge after the other: one serves at any time. */
  const restart = async (edges: readonly Node[], words: string[]) => {
    for (const edge of edges) {
      settings.set(edge.name, words)
      await edge.stop('SIGTERM')
      await edge.start()
      await sleep(EDGE_AWAY_MS)
    }
  }
  const expired = (name: string, { edges, cores }: Cluster, count: number): Fault => ({
    name,
    async begin() {
      const proxies = await Promise.all(
        cores.map(({ origin }) => startTlsProxy({ address, certificates, target: origin })),
      )
      const urls = proxies.map(({ origin }) => origin).join()
      await restart(edges, ['env', `MIEN_CORE_URL=${urls}`, `SSL_CERT_FILE=${certificates.authority}`])
      await used(proxies)
      const chosen = proxies.slice(0, count)
      for (const proxy of chosen) proxy.expire()
      return async () => {
        for (const proxy of chosen) proxy.renew()
        await used(proxies)
        await restart(edges, [])
        for (const proxy of proxies) proxy.stop()
      }
    },
  })
  return {
    /** Words before the command of a part: empty while edges reach the cores over HTTP. */
    launcher: (name: string): string[] => settings.get(name) ?? [],
    faults: (cluster: Cluster): Fault[] => [
      expired(`certificate of ${cluster.cores[0]!.name} expired`, cluster, 1),
      expired('certificates of all cores expired', cluster, cluster.cores.length),
    ],
  }
}

/** Resolves when edges have sent a request through each proxy. */
async function used(proxies: readonly TlsProxy[]): Promise<void> {
  const before = proxies.map(({ requests }) => requests())
  const isUnused = ({ requests }: TlsProxy, i: number) => requests() === before[i]
  for (const end = Date.now() + USED_MS; proxies.some(isUnused); await sleep(50))
    if (Date.now() > end) throw new Error('The edges do not reach the cores over HTTPS.')
}
