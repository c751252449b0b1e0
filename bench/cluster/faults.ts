/** What is done to a cluster: cores killed, shards frozen, links cut, the database restarted; one after the other. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { Loss } from './network.ts'
import type { Node } from './node.ts'

export interface Fault {
  name: string
  /** Does it; what it gives is called to mend it, and settles when that is done. */
  begin(): Promise<() => Promise<void>>
}

/** One that happened, in seconds since the load began. */
export interface Happened {
  name: string
  from: number
  /** When it was mended, or began to start again. */
  repaired: number
}

/** Each core is killed, each shard frozen, each link cut, in each way by turns, and the database killed. */
export function faultsOf(cluster: Cluster): Fault[] {
  const { cores, shards, edges, database } = cluster
  const links: [Node, Node][] = [
    ...edges.flatMap(edge => cores.map((core): [Node, Node] => [edge, core])),
    ...cores.flatMap(core => shards.map((shard): [Node, Node] => [core, shard])),
    ...cores.map((core): [Node, Node] => [core, database]),
  ]
  const manners: Loss[] = ['both ways', 'to', 'from']
  return [
    ...cores.map(killed),
    ...shards.map(frozen),
    killed(database),
    ...links.map((link, i) => cut(cluster, link, manners[i % manners.length]!)),
  ]
}

/** Everything that there is, told to stop and started again: what an upgrade does. */
export const restartsOf = ({ cores, edges, shards, database }: Cluster): Fault[] =>
  [...cores, ...edges, ...shards, database].map(node => ({
    name: `${node.name} restarted`,
    async begin() {
      await node.stop('SIGTERM')
      return () => node.start()
    },
  }))

const killed = (node: Node): Fault => ({
  name: `${node.name} killed`,
  async begin() {
    await node.stop('SIGKILL')
    return () => node.start()
  },
})

const frozen = (node: Node): Fault => ({
  name: `${node.name} frozen`,
  async begin() {
    const thaw = node.freeze()
    return async () => thaw()
  },
})

const WAY = { 'both ways': 'and', to: 'to', from: 'from' } as const

const cut = ({ network }: Cluster, [near, far]: [Node, Node], loss: Loss): Fault => ({
  name: `${near.name} ${WAY[loss]} ${far.name} cut`,
  async begin() {
    const mend = network.cut(near.host, far.host, loss)
    return async () => mend()
  },
})

/** Runs them at even distances; each lasts for a part of its time, and then there is rest. */
export async function runFaults(
  faults: readonly Fault[],
  { secondsEach, lasting }: { secondsEach: number; lasting: number },
  now: () => number,
  tell: (name: string) => void,
): Promise<Happened[]> {
  const happened: Happened[] = []
  for (const { name, begin } of faults) {
    const from = now()
    tell(`${from.toFixed(0)} s: ${name}`)
    const mend = await begin()
    await sleep(lasting * 1000)
    const repaired = now()
    await mend()
    happened.push({ name, from, repaired })
    await sleep(Math.max(0, from + secondsEach - now()) * 1000)
  }
  return happened
}
