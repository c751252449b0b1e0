/** What a cluster of hosts answers while its parts are killed, frozen and cut off, and what it has kept in the end. */
import { writeFile } from 'node:fs/promises'
import { fixed, fromCaller, type Outcome, progress, table } from './benchmark.ts'
import { type Callers, startCallers } from './cluster/callers.ts'
import { type Cluster, startCluster } from './cluster/cluster.ts'
import { type Fault, faultsOf, type Happened, runFaults } from './cluster/faults.ts'
import { canMakeNetwork } from './cluster/network.ts'
import { distinct, type Person, people } from './cluster/people.ts'
import { timeline } from './cluster/timeline.ts'
import { disturbedFor, type Kept, listed, triesOf, type Verdict, verdict } from './cluster/verdict.ts'

export const description = 'two edges, three cores, four shards and a database, on hosts whose parts fail'

export const options = {
  callers: { type: 'string' },
  rate: { type: 'string' },
  seconds: { type: 'string' },
  only: { type: 'string' },
  plot: { type: 'string' },
} as const

const CALLERS = 20
/** Requests a second: what two cores have time for besides the programs of ten hosts. */
const RATE = 6
/** From one fault to the next, and how long it lasts. */
const SECONDS = 20
const LASTING = 6
/** Before the first fault. */
const QUIET_SECONDS = 20
/** Each owner's time: so many first posts of people who are not known yet. */
const OWNER_SECONDS = 20

/** What should come of it. */
const BACK_SECONDS = 10

export async function run(values: Record<string, string | boolean | undefined>): Promise<Outcome> {
  if (!canMakeNetwork()) return { table: 'skipped: it needs root and `ip`', result: { skipped: true } }
  const settings = {
    callers: Number(values.callers ?? CALLERS),
    rate: Number(values.rate ?? RATE),
    secondsEach: Number(values.seconds ?? SECONDS),
  }
  const cluster = await startCluster()
  try {
    const meant = new RegExp(String(values.only ?? ''))
    const faults = faultsOf(cluster).filter(({ name }) => meant.test(name))
    const load = await loadOn(cluster, faults.length * settings.secondsEach + QUIET_SECONDS, settings)
    const happened = await trial(load.callers, faults, settings.secondsEach)
    const kept = await keptOf(cluster, load.owners)
    const tries = triesOf(load.callers.ledger)
    if (values.plot) await writeFile(fromCaller(String(values.plot)), timeline(tries, happened))
    return outcome(verdict(load.callers.ledger, kept), recoveries(load.callers, happened))
  } finally {
    await cluster.remove()
  }
}

interface Owner {
  name: string
  token: string
}

async function loadOn(
  { edges, newToken }: Cluster,
  seconds: number,
  { callers, rate }: { callers: number; rate: number },
): Promise<{ callers: Callers; owners: Owner[] }> {
  const [edge] = edges
  const first = newToken('first')
  const faces: Person[] = await distinct(await people(edge!.origin, first), edge!.origin, first)
  progress(`  ${faces.length} people`)
  const owners = Array.from({ length: Math.ceil(seconds / OWNER_SECONDS) + 1 }, (_, i) => {
    const name = `owner${i}`
    return { name, token: newToken(name) }
  })
  const load = {
    edges: edges.map(({ origin }) => origin),
    people: faces,
    owners,
    secondsEach: OWNER_SECONDS,
    callers,
    rate,
  }
  return { callers: startCallers(load), owners }
}

async function trial(callers: Callers, faults: readonly Fault[], secondsEach: number): Promise<Happened[]> {
  await new Promise(resolve => setTimeout(resolve, QUIET_SECONDS * 1000))
  const times = { secondsEach, lasting: LASTING }
  const happened = await runFaults(faults, times, callers.now, name => progress(`  ${name}`))
  await callers.stop()
  return happened
}

async function keptOf({ edges }: Cluster, owners: readonly Owner[]): Promise<Map<string, Kept[]>> {
  const kept = new Map<string, Kept[]>()
  for (const { name, token } of owners) kept.set(name, await listed(edges[0]!.origin, token))
  return kept
}

interface Recovery extends Happened {
  disturbedSeconds: number
}

/** Each fault's last bad answer before the next one. */
const recoveries = ({ ledger, now }: Callers, happened: readonly Happened[]): Recovery[] =>
  happened.map((fault, i) => {
    const until = happened[i + 1]?.from ?? now()
    return { ...fault, disturbedSeconds: fixed(disturbedFor(triesOf(ledger), fault.repaired, until)) }
  })

function outcome(told: Verdict, faults: readonly Recovery[]): Outcome {
  const { posts, acknowledged, lost, doubled, split, statuses } = told
  const others = Object.keys(statuses).filter(status => status !== '200' && status !== '503')
  const longest = Math.max(0, ...faults.map(({ disturbedSeconds }) => disturbedSeconds))
  const rows = [
    ['while parts fail', 'measured', 'target'],
    ['faults', faults.length, ''],
    ['enrolments, acknowledged', `${acknowledged} of ${posts}`, 'all'],
    ['acknowledged faces that were lost', lost, 0],
    ['faces that are there twice', doubled, 0],
    ['persons that were split', split, 0],
    [
      'answers',
      Object.entries(statuses)
        .map(([status, count]) => `${count} x ${status}`)
        .join(', '),
      '',
    ],
    ['errors but 503', others.length === 0 ? 'none' : others.join(', '), 'none'],
    ['longest until all was well, s', longest, `<= ${BACK_SECONDS}`],
  ]
  const each = [
    ['fault', 'began, s', 'mended, s', 'disturbed for, s'],
    ...faults.map(({ name, from, repaired, disturbedSeconds }) => [
      name,
      fixed(from),
      fixed(repaired),
      disturbedSeconds,
    ]),
  ]
  return { table: `${table(each)}\n\n${table(rows)}`, result: { ...told, longestSeconds: longest, faults } }
}
