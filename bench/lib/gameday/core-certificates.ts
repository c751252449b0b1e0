/** Certificates between edges and cores that expire. Edges reach the cores through HTTPS proxies during these faults. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../cluster/cluster.ts'
import type { Fault } from '../cluster/faults.ts'
import type { Node } from '../cluster/node.ts'
import { type Certificates, startTlsProxy, type TlsProxy } from './tls-proxy.ts'

type Sides = Pick<Cluster, 'edges' | 'cores'>

export interface CoreCertificates {
  /** Words before the command of a part: empty while edges reach the cores over HTTP. */
  launcher(name: string): string[]
  faults(cluster: Sides): Fault[]
}

/** Time in which edges send a request through each proxy. */
const USED_MS = 30_000
/** nginx uses a restarted edge again after this time: `fail_timeout` in deploy/nginx/mien.conf, and a margin. */
const EDGE_AWAY_MS = 6_000

/** The proxies listen at this address, which the certificates are for. */
export function coreCertificates(address: string, certificates: Certificates): CoreCertificates {
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
  const expired = (name: string, { edges, cores }: Sides, count: number): Fault => ({
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
    launcher: name => settings.get(name) ?? [],
    faults: cluster => [
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
