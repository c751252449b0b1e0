/** Measures failed requests while a cluster is upgraded from the last release: cores, then edges, under load. */
import { chipLabel, embedderLabel } from '#core/embedding/label.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { buildRelease, checkOutRelease, hasRelease } from '#test/support/released.ts'
import { benchmark, need } from '../benchmark.ts'
import { startCluster } from '../lib/cluster/cluster.ts'
import { type Fault, underFaults } from '../lib/cluster/faults.ts'
import type { Node } from '../lib/cluster/node.ts'
import { ROOT } from '../rig.ts'

export default benchmark({
  description: 'failed requests of a cluster that is upgraded from the last release under load',
  options: {
    callers: 10,
    /** Requests per second. */
    rate: 4,
    /** Seconds from the restart of one part to the next. */
    seconds: 20,
    quiet: 15,
  },
  async run(pace, rig) {
    need(hasRelease(), 'the history of Git')
    need(chipLabel(STANDARD_PACK) === embedderLabel(STANDARD_PACK), 'a last release with this embedder')
    const release = await checkOutRelease()
    rig.defer(release.remove)
    buildRelease(release)
    const upgraded = new Set<string>()
    const checkoutOf = (name: string) => (upgraded.has(name) ? ROOT : release.folder)
    const cluster = await startCluster(rig, { checkoutOf })
    const steps = [...cluster.cores, ...cluster.edges].map(node => upgrade(node, upgraded))
    const result = await underFaults(cluster, steps, pace, rig)
    return {
      failed: result.requests - (result.answers[200] ?? 0),
      ...result,
    }
  },
})

/** Stops a part of the last release, and starts it from this checkout. */
const upgrade = (node: Node, upgraded: Set<string>): Fault => ({
  name: `${node.name} upgraded`,
  isBrief: true,
  async begin() {
    await node.stop('SIGTERM')
    upgraded.add(node.name)
    return () => node.start()
  },
})
