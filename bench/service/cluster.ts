/** Measures responses and data of a cluster while its processes are killed or frozen and its links are cut. */
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fixed, fromCaller, type Outcome, progress, table } from '../benchmark.ts'
import type { Try } from '../lib/cluster/callers.ts'
import { startCluster } from '../lib/cluster/cluster.ts'
import { type Fault, faultsOf, type Happened, restartsOf, runFaults } from '../lib/cluster/faults.ts'
import { keptOf, loadOn } from '../lib/cluster/load.ts'
import { canMakeNetwork } from '../lib/cluster/network.ts'
import { timeline } from '../lib/cluster/timeline.ts'
import { answersOf, disturbedFor, triesOf, type Verdict, verdict } from '../lib/cluster/verdict.ts'

export const description =
  'a cluster with faults: a proxy, two edges, three cores, four shards and a database'

export const options = {
  callers: { type: 'string' },
  rate: { type: 'string' },
  seconds: { type: 'string' },
  only: { type: 'string' },
  plot: { type: 'string' },
} as const

const CALLERS = 20
/** Requests per second: the load that two cores can serve while ten hosts share the machine. */
const RATE = 6
/** Seconds from one fault to the next, and the duration of a fault. */
const SECONDS = 20
const LASTING = 6
/** Seconds before the first fault. */
const QUIET_SECONDS = 20

/** Target: maximum seconds until all requests succeed after a repair. */
const BACK_SECONDS = 10

export async function run(values: Record<string, string | boolean | undefined>): Promise<Outcome> {
  if (!canMakeNetwork()) return { table: 'skipped: it needs root and `ip`', result: { skipped: true } }
  const settings = {
    callers: Number(values.callers ?? CALLERS),
    rate: Number(values.rate ?? RATE),
    secondsEach: Number(values.seconds ?? SECONDS),
  }
  const cluster = await startCluster()
  if (!cluster.hasProxy) progress('  without a proxy: callers ask the edges by turns')
  try {
    const meant = ({ name }: Fault) => new RegExp(String(values.only ?? '')).test(name)
    const [faults, restarts] = [faultsOf(cluster).filter(meant), restartsOf(cluster).filter(meant)]
    const seconds = (faults.length + restarts.length) * settings.secondsEach + QUIET_SECONDS
    const { callers, owners } = await loadOn(cluster, seconds, settings)
    await sleep(QUIET_SECONDS * 1000)
    const tell = (name: string) => progress(`  ${name}`)
    const pace = { secondsEach: settings.secondsEach, lasting: LASTING }
    const failed = await runFaults(faults, pace, callers.now, tell)
    const restarted = await runFaults(restarts, { ...pace, lasting: 0 }, callers.now, tell)
    await callers.stop()
    const tries = triesOf(callers.ledger)
    if (values.plot)
      await writeFile(fromCaller(String(values.plot)), timeline(tries, [...failed, ...restarted]))
    const kept = await keptOf(cluster, owners)
    return outcome(
      verdict(callers.ledger, kept),
      tries,
      outcomesOf([...failed, ...restarted], tries, callers.now()),
    )
  } finally {
    await cluster.remove()
  }
}

interface FaultOutcome extends Happened {
  /** Seconds from the repair to the last failed response before the next fault. */
  disturbedSeconds: number
  /** Responses from the beginning of the fault to the next one. */
  answers: Record<string, number>
}

const outcomesOf = (happened: readonly Happened[], tries: readonly Try[], end: number): FaultOutcome[] =>
  happened.map((fault, i) => {
    const until = happened[i + 1]?.from ?? end
    return {
      name: fault.name,
      from: fixed(fault.from),
      repaired: fixed(fault.repaired),
      disturbedSeconds: fixed(disturbedFor(tries, fault.repaired, until)),
      answers: answersOf(tries.filter(({ at }) => at > fault.from && at <= until)),
    }
  })

function outcome(found: Verdict, tries: readonly Try[], faults: readonly FaultOutcome[]): Outcome {
  const { posts, acknowledged, lost, doubled, split } = found
  const longest = Math.max(0, ...faults.map(({ disturbedSeconds }) => disturbedSeconds))
  const each = [
    ['fault', 'began, s', 'mended, s', 'disturbed for, s', 'answers'],
    ...faults.map(({ name, from, repaired, disturbedSeconds, answers }) => [
      name,
      from,
      repaired,
      disturbedSeconds,
      counted(answers),
    ]),
  ]
  const rows = [
    ['in all', 'measured', 'target'],
    ['enrolments, acknowledged', `${acknowledged} of ${posts}`, 'all'],
    ['acknowledged faces that were lost', lost, 0],
    ['faces that are there twice', doubled, 0],
    ['persons that were split', split, 0],
    ['answers', counted(answersOf(tries)), '200 and 503'],
    ['longest until all was well, s', longest, `<= ${BACK_SECONDS}`],
  ]
  const result = { ...found, answers: answersOf(tries), longestSeconds: longest, faults }
  return { table: `${table(each)}\n\n${table(rows)}`, result }
}

const counted = (answers: Record<string, number>): string =>
  Object.entries(answers)
    .map(([answer, count]) => `${count} x ${answer}`)
    .join(', ')
