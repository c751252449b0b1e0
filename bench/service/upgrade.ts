/** Measures failed requests while a cluster is upgraded from the last release: cores, then edges, under load. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fixed, type Outcome, progress, table } from '../benchmark.ts'
import { buildRelease, checkOutRelease, hasRelease } from '../harness/released.ts'
import { startCluster } from '../lib/cluster/cluster.ts'
import { type Fault, type Happened, runFaults } from '../lib/cluster/faults.ts'
import { keptOf, loadOn } from '../lib/cluster/load.ts'
import { canMakeNetwork } from '../lib/cluster/network.ts'
import type { Node } from '../lib/cluster/node.ts'
import { answersOf, disturbedFor, triesOf, verdict } from '../lib/cluster/verdict.ts'

export const description = 'failed requests of a cluster that is upgraded from the last release under load'

export const options = {
  callers: { type: 'string' },
  rate: { type: 'string' },
  seconds: { type: 'string' },
} as const

const ROOT = join(import.meta.dirname, '..', '..')
const CALLERS = 10
/** Requests per second. */
const RATE = 4
/** Seconds from the restart of one part to the next. */
const SECONDS = 20
const QUIET_SECONDS = 15
const SIZE = { edges: 2, cores: 2, shards: 1 }

export async function run(values: Record<string, string | boolean | undefined>): Promise<Outcome> {
  if (!canMakeNetwork()) return skipped('it needs root and `ip`')
  if (!hasRelease()) return skipped('it needs the history of Git')
  const [callers, rate] = [Number(values.callers ?? CALLERS), Number(values.rate ?? RATE)]
  const secondsEach = Number(values.seconds ?? SECONDS)
  const release = await checkOutRelease()
  try {
    buildRelease(release)
    const upgraded = new Set<string>()
    const checkoutOf = (name: string) => (upgraded.has(name) ? ROOT : release.folder)
    const cluster = await startCluster({ ...SIZE, checkoutOf })
    try {
      const steps = [...cluster.cores, ...cluster.edges].map(node => upgrade(node, upgraded))
      const { callers: load, owners } = await loadOn(
        cluster,
        QUIET_SECONDS * 2 + steps.length * secondsEach,
        {
          callers,
          rate,
        },
      )
      await sleep(QUIET_SECONDS * 1000)
      const happened = await runFaults(steps, { secondsEach, lasting: 0 }, load.now, tell)
      await sleep(QUIET_SECONDS * 1000)
      await load.stop()
      const found = verdict(load.ledger, await keptOf(cluster, owners))
      return outcome(found, triesOf(load.ledger), happened, load.now())
    } finally {
      await cluster.remove()
    }
  } finally {
    await release.remove()
  }
}

const skipped = (why: string): Outcome => ({ table: `skipped: ${why}`, result: { skipped: true } })

const tell = (name: string): boolean => progress(`  ${name}`)

/** Stops a part of the last release, and starts it from this checkout. */
const upgrade = (node: Node, upgraded: Set<string>): Fault => ({
  name: `${node.name} upgraded`,
  async begin() {
    await node.stop('SIGTERM')
    upgraded.add(node.name)
    return () => node.start()
  },
})

function outcome(
  found: ReturnType<typeof verdict>,
  tries: ReturnType<typeof triesOf>,
  happened: readonly Happened[],
  end: number,
): Outcome {
  const steps = happened.map(({ name, from, repaired }, i) => {
    const until = happened[i + 1]?.from ?? end
    return {
      name,
      disturbedSeconds: fixed(disturbedFor(tries, repaired, until)),
      answers: answersOf(tries.filter(({ at }) => at > from && at <= until)),
    }
  })
  const failed = tries.filter(({ status }) => status !== 200).length
  const { posts, acknowledged, lost, doubled } = found
  const each = [
    ['step', 'disturbed for, s', 'answers'],
    ...steps.map(({ name, disturbedSeconds, answers }) => [name, disturbedSeconds, JSON.stringify(answers)]),
  ]
  const rows = [
    ['in all', 'measured', 'target'],
    ['requests', tries.length, ''],
    ['failed requests', failed, 0],
    ['enrolments, acknowledged', `${acknowledged} of ${posts}`, 'all'],
    ['acknowledged faces that were lost', lost, 0],
    ['faces that are there twice', doubled, 0],
  ]
  const result = { requests: tries.length, failed, ...found, steps }
  return { table: `${table(each)}\n\n${table(rows)}`, result }
}
