/** The faults of a game day on a cluster, and those that this machine cannot cause. */

import { progress } from '../../benchmark.ts'
import { hasSwift } from '../../harness/swift.ts'
import { type Cluster, startCluster } from '../cluster/cluster.ts'
import { type Fault, faultsOf, restartsOf } from '../cluster/faults.ts'
import type { Node } from '../cluster/node.ts'
import { type GameBucket, startBucket } from './bucket.ts'
import type { GameCallers } from './callers.ts'
import { hasFaketime, movedClocks } from './clocks.ts'
import { coreCertificates } from './core-certificates.ts'
import { fullDisk, smallDisk } from './disks.ts'
import { withoutFiles } from './files.ts'
import { memoryGroups } from './memory.ts'
import { nameServer } from './names.ts'
import { delayed, halfOpen, hasIptables, lossy } from './packets.ts'
import { hasOpenssl, makeCertificates } from './tls-proxy.ts'

export interface GameCluster {
  cluster: Cluster
  /** Faults in their order. */
  faults(callers: () => GameCallers): Fault[]
  /** Kinds of faults that this machine cannot cause, with the reason. */
  skipped: { name: string; why: string }[]
  remove(): Promise<void>
}

const SIZE = { edges: 2, cores: 2, shards: 2 }
/** Another network than that of the benchmark `cluster`, which may run at the same time. */
const NETWORK = { prefix: 'miend-', subnet: '198.18.9' }
const BRIDGE = `${NETWORK.subnet}.1`
/** Callers that join for one fault. */
const CROWD = 180

/** Starts the cluster with a name server, small disks, groups of memory and a bucket. `folder` is for its own files. */
export async function startGameCluster(folder: string): Promise<GameCluster> {
  const groups = memoryGroups()
  const clocks = movedClocks(folder)
  const names = nameServer(BRIDGE)
  const certificates = hasOpenssl ? makeCertificates(folder, BRIDGE) : undefined
  const ofCores = certificates && coreCertificates(BRIDGE, certificates)
  let bucket: GameBucket | undefined
  const end = async () => {
    names.remove()
    await bucket?.stop()
    await groups?.remove()
  }
  const cluster = await startCluster({
    ...SIZE,
    networkOf: NETWORK,
    launcherOf: name => [
      ...(groups?.launcher(name) ?? []),
      ...clocks.launcher(name),
      ...(ofCores?.launcher(name) ?? []),
    ],
    async coreSettings(bridge) {
      await names.listen()
      if (!hasSwift || !certificates) return {}
      bucket = await startBucket(bridge, certificates)
      return bucket.settings
    },
    hostNameOf: part => names.register(part),
    prepareFolder: smallDisk,
  }).catch(async cause => {
    await end()
    throw cause
  })
  const { edges, cores, shards, database } = cluster
  const [edge, core, shard] = [edges[0]!, cores[0]!, shards[0]!]
  const hosts = [...edges, ...cores, ...shards, database]

  const kinds = [
    { name: 'clocks', can: hasFaketime, why: 'faketime is not installed', faults: () => clocks.faults(core) },
    {
      name: 'memory',
      can: groups !== undefined,
      why: 'control groups cannot be made',
      faults: () => [core, edge, shard].map(node => groups!.limited(node)),
    },
    { name: 'files', can: true, why: '', faults: () => [core, edge, shard].map(withoutFiles) },
    {
      name: 'disks',
      can: true,
      why: '',
      faults: () => [core, edge, shard, database].map(node => fullDisk(node, cluster.folder)),
    },
    { name: 'DNS', can: true, why: '', faults: () => [names.gone] },
    {
      name: 'packets',
      can: hasIptables,
      why: 'iptables is not installed',
      faults: () => [
        lossy(hosts),
        delayed(edges, core, BRIDGE),
        delayed(cores, shard, BRIDGE),
        delayed(cores, database, BRIDGE),
        halfOpen(core),
        halfOpen(shard),
      ],
    },
    {
      name: 'bucket',
      can: bucket !== undefined,
      why: 'Swift or openssl is not installed',
      faults: () => bucket!.faults,
    },
    {
      name: 'certificates of cores',
      can: ofCores !== undefined,
      why: 'openssl is not installed',
      faults: () => ofCores!.faults(cluster),
    },
  ]
  return {
    cluster,
    skipped: kinds.filter(({ can }) => !can).map(({ name, why }) => ({ name, why })),
    faults: callers =>
      [
        ...faultsOf(cluster),
        ...kinds.flatMap(({ can, faults }) => (can ? faults() : [])),
        {
          name: `${CROWD} more callers`,
          async begin() {
            const leave = callers().crowd(CROWD)
            return async () => leave()
          },
        },
        ...restartsOf(cluster),
      ].map(fault => revived(fault, hosts)),
    async remove() {
      await cluster.remove()
      await end()
    },
  }
}

/** After the repair, starts each part that has ended by itself, as a service manager would. */
const revived = ({ name, begin }: Fault, nodes: readonly Node[]): Fault => ({
  name,
  async begin() {
    const mend = await begin()
    return async () => {
      await mend()
      for (const node of nodes) {
        if (node.pid() !== undefined) continue
        progress(`    ${node.name} had ended`)
        await node.start()
      }
    }
  },
})
