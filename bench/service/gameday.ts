/** A game day: a cluster under load loses its cores and its database in sequence. One verdict covers all faults. */
import { benchmark } from '../benchmark.ts'
import { startCluster } from '../lib/cluster/cluster.ts'
import { killsOf, underFaults } from '../lib/cluster/faults.ts'

export default benchmark({
  description: 'a game day: cores and the database are killed under load, and started again',
  options: {
    callers: 20,
    /** Requests per second: the load that two cores can serve while all parts share the machine. */
    rate: 4,
    seconds: 40,
    quiet: 10,
  },
  async run(pace, rig) {
    const cluster = await startCluster(rig)
    return underFaults(cluster, killsOf(cluster), pace, rig)
  },
})
