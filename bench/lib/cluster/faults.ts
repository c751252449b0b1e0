/** Faults of a cluster, one after the other: parts killed and restarted. */
import { setTimeout as sleep } from 'node:timers/promises'
import { progress } from '../../benchmark.ts'
import type { Rig } from '../../rig.ts'
import type { Cluster } from './cluster.ts'
import { type Load, startLoad } from './load.ts'
import type { Node } from './node.ts'
import { faultVerdicts, type Happened, TARGETS, verdict } from './verdict.ts'

export interface Fault {
  name: string
  /** Causes the fault. Returns the function that repairs it, which resolves after the repair. */
  begin(): Promise<() => unknown>
  /** The repair follows at once: what happens meanwhile is the fault. */
  isBrief?: boolean
}

const killed = (node: Node): Fault => ({
  name: `${node.name} killed`,
  async begin() {
    await node.stop('SIGKILL')
    return () => node.start()
  },
})

/** Stops and restarts a part, as an upgrade does. */
const restarted = (node: Node): Fault => ({
  ...{ name: `${node.name} restarted`, isBrief: true },
  async begin() {
    await node.stop('SIGTERM')
    return () => node.start()
  },
})

/** Kills each core and the database. */
export const killsOf = ({ cores, database }: Cluster): Fault[] => [...cores, database].map(killed)

export const restartsOf = ({ cores, edges, shards, database }: Cluster): Fault[] =>
  [...cores, ...edges, ...shards, database].map(restarted)

/** After the repair, starts each part that has ended by itself, as a service manager would. */
const revived = ({ begin, ...fault }: Fault, { edges, cores, shards, database }: Cluster): Fault => ({
  ...fault,
  async begin() {
    const mend = await begin()
    return async () => {
      await mend()
      for (const node of [database, ...shards, ...cores, ...edges]) {
        if (node.pid() !== undefined) continue
        progress(`  ${node.name} had ended`)
        await node.start()
      }
    }
  },
})

export interface Pace {
  callers: number
  rate: number
  /** Seconds from one fault to the next. Each lasts for half of them and is followed by rest. */
  seconds: number
  /** Seconds before the first fault. */
  quiet: number
  /** Expression that the name of a fault fits. */
  only: string
}

/** Runs the faults on a cluster under load, and judges them. */
export async function underFaults(
  cluster: Cluster,
  faults: (load: () => Load) => readonly Fault[],
  { seconds, quiet, only, ...rates }: Pace,
  rig: Rig,
) {
  const chosen = faults(() => load).filter(({ name }) => new RegExp(only).test(name))
  const load: Load = await startLoad({ ...cluster, ...rates, seconds: quiet + chosen.length * seconds })
  let hasStopped = false
  rig.defer(() => hasStopped || load.stop().catch(() => {}))
  await sleep(quiet * 1000)
  const happened: Happened[] = []
  for (const fault of chosen) {
    const { name, begin, isBrief } = revived(fault, cluster)
    const from = load.now()
    progress(`${from.toFixed(0)} s: ${name}`)
    const mend = await begin()
    if (!isBrief) await sleep((seconds / 2) * 1000)
    const repaired = load.now()
    await mend()
    happened.push({ name, from, repaired })
    await sleep(Math.max(0, from + seconds - load.now()) * 1000)
  }
  hasStopped = true
  const kept = await load.stop()
  return {
    ...verdict(load.ledger, kept),
    targets: TARGETS,
    faults: faultVerdicts(happened, load.ledger, kept, load.now()),
  }
}
