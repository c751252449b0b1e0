/** Measures failed requests while a cluster is upgraded from the last release: cores, edges, then the pack, under load. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { benchmark, need } from '../benchmark.ts'
import { addOverviewPack, useOverviewPack } from '../harness/overview-pack.ts'
import { buildRelease, checkOutRelease, hasRelease } from '../harness/released.ts'
import { type Cluster, startCluster } from '../lib/cluster/cluster.ts'
import { type Fault, underFaults } from '../lib/cluster/faults.ts'
import { canMakeNetwork } from '../lib/cluster/network.ts'
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
    only: '',
  },
  async run(pace, rig) {
    need(canMakeNetwork(), 'root and `ip`')
    need(hasRelease(), 'the history of Git')
    const release = await checkOutRelease()
    rig.defer(release.remove)
    buildRelease(release)
    const upgraded = new Set<string>()
    const checkoutOf = (name: string) => (upgraded.has(name) ? ROOT : release.folder)
    const cluster = await startCluster(rig, { checkoutOf })
    const steps = [
      ...[...cluster.cores, ...cluster.edges].map(node => upgrade(node, upgraded)),
      ...cluster.cores.map(node => changePack(node, cluster)),
    ]
    const result = await underFaults(cluster, () => steps, pace, rig)
    return {
      failed: result.requests - (result.answers[200] ?? 0),
      /** Workers of edges that have loaded the networks of the pack. */
      packs: await loadedPacks(cluster),
      ...result,
    }
  },
})

/** Stops a part of the last release, and starts it from this checkout. */
const upgrade = (node: Node, upgraded: Set<string>): Fault => ({
  ...{ name: `${node.name} upgraded`, isBrief: true },
  async begin() {
    await node.stop('SIGTERM')
    upgraded.add(node.name)
    return () => node.start()
  },
})

/** Chooses another pack with the same embedder, and restarts the core. The edges are not restarted. */
const changePack = (node: Node, { folder }: Cluster): Fault => ({
  ...{ name: `pack of ${node.name} changed`, isBrief: true },
  async begin() {
    await addOverviewPack(join(folder, node.name))
    useOverviewPack(join(folder, node.name))
    await node.stop('SIGTERM')
    return () => node.start()
  },
})

/** By the logs of the edges. */
async function loadedPacks({ edges, folder }: Cluster): Promise<number> {
  const logs = await Promise.all(edges.map(({ name }) => readFile(join(folder, `${name}.log`), 'utf8')))
  return logs.join('').split('"event":"pack loaded"').length - 1
}
