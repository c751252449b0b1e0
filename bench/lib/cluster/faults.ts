/** Faults of a cluster, one after the other: cores killed, shards frozen, links cut, the database restarted. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { Loss } from './network.ts'
import type { Node } from './node.ts'

export interface Fault {
  name: string
  /** Causes the fault. Returns the function that repairs it, which resolves after the repair. */
  begin(): Promise<() => Promise<void>>
}

/** A fault that occurred. Times are in seconds since the load began. */
export interface Happened {
  name: string
  from: number
  /** Time of the repair, or of the restart. */
  repaired: number
}

/** Kills each core, freezes each shard, cuts each link with alternating kinds of loss, and kills the database. */
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

/** Stops and restarts every program, as an upgrade does. */
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

/** Runs the faults at even distances. Each lasts for a part of its interval and is followed by rest. */
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
