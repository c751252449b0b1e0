/** Measures failed requests while a cluster is upgraded from the last release: cores, edges, then the pack, under load. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fixed, type Outcome, progress, table } from '../benchmark.ts'
import { addOverviewPack, useOverviewPack } from '../harness/overview-pack.ts'
import { buildRelease, checkOutRelease, hasRelease } from '../harness/released.ts'
import { type Cluster, startCluster } from '../lib/cluster/cluster.ts'
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
      const steps = [
        ...[...cluster.cores, ...cluster.edges].map(node => upgrade(node, upgraded)),
        ...cluster.cores.map(node => changePack(node, cluster)),
      ]
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
      return outcome(found, triesOf(load.ledger), happened, load.now(), await loadedPacks(cluster))
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

/** Chooses another pack with the same embedder, and restarts the core. The edges are not restarted. */
const changePack = (node: Node, { folder }: Cluster): Fault => ({
  name: `pack of ${node.name} changed`,
  async begin() {
    await addOverviewPack(join(folder, node.name))
    useOverviewPack(join(folder, node.name))
    await node.stop('SIGTERM')
    return () => node.start()
  },
})

/** How many workers of edges have loaded the networks of the pack, by their logs. */
async function loadedPacks({ edges, folder }: Cluster): Promise<number> {
  const logs = await Promise.all(edges.map(({ name }) => readFile(join(folder, `${name}.log`), 'utf8')))
  return logs.join('').split('"event":"pack loaded"').length - 1
}

function outcome(
  found: ReturnType<typeof verdict>,
  tries: ReturnType<typeof triesOf>,
  happened: readonly Happened[],
  end: number,
  packs: number,
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
    ['workers of edges that loaded the pack', packs, 'all'],
  ]
  const result = { requests: tries.length, failed, ...found, packs, steps }
  return { table: `${table(each)}\n\n${table(rows)}`, result }
}
