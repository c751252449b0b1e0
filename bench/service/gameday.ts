/** A game day: a cluster under load loses its parts one after the other, with one verdict for all. */
import { benchmark, need } from '../benchmark.ts'
import { startCluster } from '../lib/cluster/cluster.ts'
import { killsOf, restartsOf, underFaults } from '../lib/cluster/faults.ts'
import { canMakeNetwork } from '../lib/cluster/network.ts'

/** Callers that join for one fault. */
const CROWD = 180

export default benchmark({
  description: 'a game day: parts are killed and restarted under load, crowds come',
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
    const cluster = await startCluster(rig)
    return underFaults(
      cluster,
      load => [
        ...killsOf(cluster),
        { name: `${CROWD} more callers`, begin: async () => load().crowd(CROWD) },
        ...restartsOf(cluster),
      ],
      pace,
      rig,
    )
  },
})
