/** A game day: a cluster under load meets each fault that can be caused on one machine, with one verdict for all. */
import { benchmark, need } from '../benchmark.ts'
import { hasSwift } from '../harness/swift.ts'
import { type Cluster, startCluster } from '../lib/cluster/cluster.ts'
import { type Fault, faultsOf, restartsOf, underFaults } from '../lib/cluster/faults.ts'
import {
  fullDisk,
  hasFaketime,
  memoryGroups,
  movedClocks,
  smallDisk,
  withoutFiles,
} from '../lib/cluster/host-faults.ts'
import type { Load } from '../lib/cluster/load.ts'
import { BRIDGE, canMakeNetwork } from '../lib/cluster/network.ts'
import { delayed, halfOpen, hasIptables, lossy, nameServer } from '../lib/cluster/network-faults.ts'
import { coreCertificates, startBucket } from '../lib/cluster/tls-faults.ts'
import { hasOpenssl, makeCertificates } from '../lib/cluster/tls-proxy.ts'
import type { Rig } from '../rig.ts'

/** Callers that join for one fault. */
const CROWD = 180

export default benchmark({
  description:
    'a game day: clocks, memory, files, disks, names, packets, a bucket and crowds fail under load',
  options: {
    callers: 20,
    /** Requests per second: the load that two cores can serve while all hosts share the machine. */
    rate: 4,
    seconds: 40,
    quiet: 10,
    only: '',
  },
  async run(pace, rig) {
    need(canMakeNetwork(), 'root and `ip`')
    const { cluster, kinds } = await startGame(rig)
    const can = kinds.filter(({ missing }) => missing === undefined)
    const skipped = kinds.flatMap(({ kind, missing }) => (missing === undefined ? [] : { kind, missing }))
    const faults = (load: () => Load) => [
      ...faultsOf(cluster),
      ...can.flatMap(kind => kind.faults()),
      {
        name: `${CROWD} more callers`,
        begin: async () => load().crowd(CROWD),
      },
      ...restartsOf(cluster),
    ]
    const result = await underFaults(cluster, faults, pace, rig)
    return { ...result, ...(skipped.length > 0 && { skipped }) }
  },
})

/** Faults of one kind, or what this machine lacks to cause them. */
interface Kind {
  kind: string
  missing: string | undefined
  faults(): Fault[]
}

/** Starts the cluster with a name server, small disks, groups of memory and a bucket. */
async function startGame(rig: Rig): Promise<{ cluster: Cluster; kinds: Kind[] }> {
  const folder = await rig.folder()
  const groups = memoryGroups(rig)
  const clocks = movedClocks(folder)
  const names = nameServer(BRIDGE, rig)
  const certificates = hasOpenssl ? makeCertificates(folder, BRIDGE) : undefined
  const ofCores = certificates && coreCertificates(BRIDGE, certificates)
  let bucket: Awaited<ReturnType<typeof startBucket>> | undefined
  const cluster = await startCluster(rig, {
    launcherOf: name => [groups, clocks, ofCores].flatMap(one => one?.launcher(name) ?? []),
    async coreSettings() {
      await names.listen()
      if (!hasSwift || !certificates) return {}
      bucket = await startBucket(BRIDGE, certificates, rig)
      return bucket.settings
    },
    hostNameOf: part => names.register(part),
    prepareFolder: smallDisk,
  })
  const { edges, cores, shards, database } = cluster
  const [edge, core, shard] = [edges[0]!, cores[0]!, shards[0]!]
  const packets = () => [
    lossy([...edges, ...cores, ...shards, database]),
    delayed(edges, core, BRIDGE),
    delayed(cores, shard, BRIDGE),
    delayed(cores, database, BRIDGE),
    halfOpen(core),
    halfOpen(shard),
  ]
  const kind = (name: string, can: unknown, what: string, faults: () => Fault[]): Kind => ({
    ...{ kind: name, missing: can ? undefined : what, faults },
  })
  const kinds = [
    kind('clocks', hasFaketime, 'faketime', () => clocks.faults(core)),
    kind('memory', groups, 'control groups', () => [core, edge, shard].map(node => groups!.limited(node))),
    kind('files', true, '', () => [core, edge, shard].map(withoutFiles)),
    kind('disks', true, '', () => [core, edge, shard, database].map(node => fullDisk(node, cluster.folder))),
    kind('DNS', true, '', () => [names.gone]),
    kind('packets', hasIptables, 'iptables', packets),
    kind('bucket', bucket, 'Swift and openssl', () => bucket!.faults),
    kind('certificates of cores', ofCores, 'openssl', () => ofCores!.faults(cluster)),
  ]
  return { cluster, kinds }
}
