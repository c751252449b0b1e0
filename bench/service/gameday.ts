/** A game day: a cluster under load loses its parts and links one after the other, with one verdict for all. */
import { benchmark, need } from '../benchmark.ts'
import { startCluster } from '../lib/cluster/cluster.ts'
import { faultsOf, restartsOf, underFaults } from '../lib/cluster/faults.ts'
import { canMakeNetwork } from '../lib/cluster/network.ts'

/** Callers that join for one fault. */
const CROWD = 180

export default benchmark({
  description: 'a game day: parts are killed, frozen and restarted under load, links are cut, crowds come',
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
        ...faultsOf(cluster),
        { name: `${CROWD} more callers`, begin: async () => load().crowd(CROWD) },
        ...restartsOf(cluster),
      ],
      pace,
      rig,
    )
  },
})
