/** Measures responses and data of a cluster while its processes are killed or frozen and its links are cut. */
import { benchmark, need } from '../benchmark.ts'
import { startCluster } from '../lib/cluster/cluster.ts'
import { faultsOf, restartsOf, underFaults } from '../lib/cluster/faults.ts'
import { canMakeNetwork } from '../lib/cluster/network.ts'

export default benchmark({
  description:
    'a cluster with faults: a proxy, two edges, two cores, two shards in PostgreSQL and a database',
  options: {
    callers: 20,
    /** Requests per second: the load that two cores can serve while all hosts share the machine. */
    rate: 6,
    seconds: 20,
    quiet: 20,
    only: '',
  },
  async run(pace, rig) {
    need(canMakeNetwork(), 'root and `ip`')
    const cluster = await startCluster(rig)
    const faults = [...faultsOf(cluster), ...restartsOf(cluster)]
    return underFaults(cluster, () => faults, pace, rig)
  },
})
