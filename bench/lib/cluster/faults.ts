/** Faults of a cluster, one after the other: parts killed, and started again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { progress } from '../../benchmark.ts'
import type { Rig } from '../../rig.ts'
import type { Cluster } from './cluster.ts'
import { startLoad } from './load.ts'
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

/** Kills each core and the database. */
export const killsOf = ({ cores, database }: Cluster): Fault[] => [...cores, database].map(killed)

interface Pace {
  callers: number
  rate: number
  /** Seconds from one fault to the next. Each lasts for half of them and is followed by rest. */
  seconds: number
  /** Seconds before the first fault. */
  quiet: number
}

/** Runs the faults on a cluster under load, and judges them. */
export async function underFaults(
  cluster: Cluster,
  faults: readonly Fault[],
  { seconds, quiet, ...rates }: Pace,
  rig: Rig,
) {
  const load = await startLoad({ ...cluster, ...rates, seconds: quiet + faults.length * seconds })
  let hasStopped = false
  rig.defer(() => hasStopped || load.stop().catch(() => {}))
  await sleep(quiet * 1000)
  const happened: Happened[] = []
  for (const { name, begin, isBrief } of faults) {
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
