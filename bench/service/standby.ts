/** Measures responses and data while the primary of a replicated PostgreSQL fails, again and again. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fixed, fromCaller, type Outcome, progress, table } from '../benchmark.ts'
import { type Service, startService } from '../harness/service.ts'
import { type Callers, startCallers } from '../lib/cluster/callers.ts'
import { canMakeNetwork, makeNetwork } from '../lib/cluster/network.ts'
import { people } from '../lib/cluster/people.ts'
import { answersOf, listed, triesOf, verdict } from '../lib/cluster/verdict.ts'
import { type Replicas, startReplicas } from '../lib/standby/database.ts'
import { type PrimaryFault, primaryFaults } from '../lib/standby/faults.ts'
import { findPrograms } from '../lib/standby/programs.ts'
import { type FaultSpan, type Round, roundOf, storedIds, summaries } from '../lib/standby/verdict.ts'

export const description =
  'a primary PostgreSQL that fails under Patroni: killed, cut off, frozen, full, demoted'

export const options = {
  rounds: { type: 'string' },
  only: { type: 'string' },
  root: { type: 'string' },
  rate: { type: 'string' },
} as const

const ROUNDS = 10
const CALLERS = 12
const RATE = 6
/** Seconds without a fault before the first one, and until the next one after all members are well. */
const QUIET_SECONDS = 8
/** Longest time in seconds until all members are well after a repair. */
const WELL_SECONDS = 240
/** Longest time of a request in milliseconds: an edge's deadline for core, and its own work. */
const DEADLINE_MS = 30_000

const NETWORK = { prefix: 'standby-', subnet: '198.18.8' }

/** Most vectors are in PostgreSQL. Searches answer from this process's shard while it is away. */
const layout = (address: string) =>
  JSON.stringify([
    { address: 'local', cells: '0-255' },
    { address, cells: '256-1023' },
  ])

export async function run(values: Record<string, string | boolean | undefined>): Promise<Outcome> {
  if (!canMakeNetwork()) return skipped('root and `ip`')
  const programs = await findPrograms(fromCaller(String(values.root ?? '/')))
  if (typeof programs === 'string') return skipped(programs)
  const network = makeNetwork(NETWORK)
  const folder = await mkdtemp(join(tmpdir(), 'mien-standby-'))
  let replicas: Replicas | undefined
  let service: Service | undefined
  try {
    replicas = await startReplicas(programs, network)
    const shards = join(folder, 'shards.json')
    await writeFile(shards, layout(replicas.address))
    const env = { MIEN_SHARDS: shards, MIEN_STORE_PICTURES: 'false' }
    service = await startService({ data: join(folder, 'data'), env })
    const wanted = new RegExp(String(values.only ?? ''))
    const faults = primaryFaults(network).filter(({ name }) => wanted.test(name))
    return await measured(service, replicas, faults, {
      rounds: Number(values.rounds ?? ROUNDS),
      rate: Number(values.rate ?? RATE),
    })
  } finally {
    await service?.stop()
    await replicas?.remove()
    network.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

const skipped = (missing: string): Outcome => ({
  table: `skipped: it needs ${missing}`,
  result: { skipped: true },
})

async function measured(
  service: Service,
  replicas: Replicas,
  faults: readonly PrimaryFault[],
  { rounds, rate }: { rounds: number; rate: number },
): Promise<Outcome> {
  const faces = await people(service.edge, service.token)
  const owners = [{ name: '', token: service.token }]
  const load = { doors: [service.edge], people: faces, owners, secondsEach: 1, callers: CALLERS, rate }
  const callers = startCallers(load)
  const spans: FaultSpan[] = []
  // Later faults would tell nothing about a database that is not well.
  for (let i = 0; i < rounds * faults.length && spans.every(({ isWell }) => isWell); i++) {
    await sleep(QUIET_SECONDS * 1000)
    spans.push(await happened(faults[i % faults.length]!, replicas, callers))
    const round = Math.floor(i / faults.length) + 1
    progress(`  ${round}: ${JSON.stringify(roundOf(spans.at(-1)!, callers.ledger))}`)
  }
  await callers.stop()
  const stored = await storedIds(service.core)
  const kept = new Map([['', await listed(service.edge, service.token)]])
  const { posts, acknowledged, lost, doubled } = verdict(callers.ledger, kept)
  const vectorless = callers.ledger.posts.filter(({ face }) => face && !stored.has(face.id)).length
  const tries = triesOf(callers.ledger)
  return outcome(
    spans.map(span => roundOf(span, callers.ledger)),
    {
      posts,
      acknowledged,
      lost: Math.max(lost, vectorless),
      doubled,
      searches: answersOf(callers.ledger.identifies),
      answers: answersOf(tries),
      longestMs: Math.round(Math.max(...tries.map(({ ms }) => ms))),
      unwell: spans.filter(({ isWell }) => !isWell).length,
    },
  )
}

/** Causes a fault of the primary, and repairs it. Resolves when all members are well again, or are not for WELL_SECONDS. */
async function happened(fault: PrimaryFault, replicas: Replicas, callers: Callers): Promise<FaultSpan> {
  const primary = await replicas.whenWell(WELL_SECONDS)
  const from = callers.now()
  const mend = await fault.begin(primary)
  const isPromoted = await replicas.whenPromoted(primary, fault.lasting)
  const promotedSeconds = isPromoted ? callers.now() - from : undefined
  await sleep(Math.max(0, from + fault.lasting - callers.now()) * 1000)
  const repaired = callers.now()
  mend()
  await sleep(QUIET_SECONDS * 1000)
  const isWell = await replicas.whenWell(WELL_SECONDS).then(
    () => true,
    (error: Error) => {
      progress(`  ${error.message}`)
      return false
    },
  )
  return { fault, from, repaired, until: callers.now(), promotedSeconds, isWell }
}

interface Totals {
  posts: number
  acknowledged: number
  lost: number
  doubled: number
  searches: Record<string, number>
  answers: Record<string, number>
  longestMs: number
  /** Faults after which a member did not come back. */
  unwell: number
}

function outcome(rounds: readonly Round[], totals: Totals): Outcome {
  const each = summaries(rounds)
  const faults = table([
    [
      'fault',
      'rounds',
      'promoted after, s',
      'well again after, s',
      'longest request, s',
      'failed posts',
      'failed searches',
    ],
    ...each.map(one => [
      one.name,
      one.rounds,
      one.promotedSeconds ?? 'never',
      one.recoverySeconds,
      one.longestSeconds,
      one.failedPosts,
      one.failedSearches,
    ]),
  ])
  const inAll = table([
    ['in all', 'measured', 'target'],
    ['enrolments, acknowledged', `${totals.acknowledged} of ${totals.posts}`, 'all'],
    ['acknowledged faces that were lost', totals.lost, 0],
    ['faces that are there twice', totals.doubled, 0],
    ['faults after which a member did not come back', totals.unwell, 0],
    ['searches', JSON.stringify(totals.searches), '200'],
    ['longest request, s', fixed(totals.longestMs / 1000), `<= ${DEADLINE_MS / 1000}`],
  ])
  return { table: `${faults}\n\n${inAll}`, result: { ...totals, faults: each, rounds } }
}
