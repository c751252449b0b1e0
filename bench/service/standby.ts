/** Measures responses and data while the primary of a replicated PostgreSQL fails, again and again. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { benchmark, fromCaller, need, progress } from '../benchmark.ts'
import { newToken } from '../harness/tokens.ts'
import { type Ledger, type Load, startLoad } from '../lib/cluster/load.ts'
import { canMakeNetwork, makeNetwork } from '../lib/cluster/network.ts'
import {
  findPostgres,
  type PrimaryFault,
  primaryFaults,
  type Replicas,
  startReplicas,
} from '../lib/cluster/replicas.ts'
import { disturbedFor, faultVerdicts, TARGETS, verdict } from '../lib/cluster/verdict.ts'
import { counts, fixed, sum } from '../statistics.ts'

/** Seconds without a fault before the first one, and until the next one after all members are well. */
const QUIET_SECONDS = 8
/** Longest time in seconds until all members are well after a repair. */
const WELL_SECONDS = 240
/** Seconds of a round of a fault, about. */
const ROUND_SECONDS = 60

const NETWORK = { prefix: 'standby-', subnet: '198.18.8' }

/** A fault that occurred. Times are in seconds since the load began. */
interface Span {
  fault: PrimaryFault
  name: string
  from: number
  repaired: number
  /** Seconds from the fault until a standby is the primary; undefined when none took over. */
  promoted: number | undefined
  /** Whether all members came back. */
  isWell: boolean
}

export default benchmark({
  description: 'a primary PostgreSQL that fails under Patroni: killed, cut off, frozen, full, demoted',
  options: {
    rounds: 10,
    only: '',
    /** A folder that holds PostgreSQL, pgvector, Patroni and etcd of Debian. */
    root: '/',
    callers: 12,
    rate: 6,
  },
  async run({ rounds, only, callers, rate, ...given }, rig) {
    need(canMakeNetwork(), 'root and `ip`')
    const root = fromCaller(given.root)
    const postgres = await findPostgres(root)
    const network = makeNetwork(NETWORK)
    rig.defer(() => network.remove())
    const replicas = await startReplicas(root, postgres, network, rig)
    const shards = join(await rig.folder(), 'shards.json')
    // Most vectors are in PostgreSQL. Searches answer from this process's shard while it is away.
    const layout = [
      { address: 'local', cells: '0-255' },
      { address: replicas.address, cells: '256-1023' },
    ]
    await writeFile(shards, JSON.stringify(layout))
    const service = await rig.service({ env: { MIEN_SHARDS: shards, MIEN_STORE_PICTURES: 'false' } })
    const chosen = primaryFaults(network).filter(({ name }) => new RegExp(only).test(name))
    const faults = Array.from({ length: rounds }, () => chosen).flat()
    const load = await startLoad({
      ...{ doors: [service.edge], callers, rate, seconds: faults.length * ROUND_SECONDS },
      newToken: owner => newToken(service.data, owner),
    })
    const spans: Span[] = []
    for (const fault of faults) {
      await sleep(QUIET_SECONDS * 1000)
      progress(`${load.now().toFixed(0)} s: ${fault.name}`)
      spans.push(await happened(fault, replicas, load))
      // Later faults would tell nothing about a database that is not well.
      if (!spans.at(-1)!.isWell) break
    }
    const kept = await load.stop()
    const { ledger } = load
    const each = faultVerdicts(spans, ledger, kept, load.now()).map((one, i) => ({
      ...one,
      ...roundOf(spans[i]!, spans[i + 1]?.from ?? load.now(), ledger),
    }))
    return {
      ...verdict(ledger, kept),
      vectorless: await vectorless(service.core, ledger),
      unwell: spans.filter(({ isWell }) => !isWell).length,
      searches: counts(ledger.others.map(({ status }) => status)),
      targets: { ...TARGETS, vectorless: 0, unwell: 0 },
      faults: summaries(each),
      rounds: each,
    }
  },
})

/** Causes a fault of the primary, and repairs it. Resolves when all members are well again, or are not for WELL_SECONDS. */
async function happened(fault: PrimaryFault, replicas: Replicas, load: Load): Promise<Span> {
  const primary = await replicas.whenWell(WELL_SECONDS)
  const from = load.now()
  const mend = await fault.begin(primary)
  const isPromoted = await replicas.whenPromoted(primary, fault.lasting)
  const promoted = isPromoted ? fixed(load.now() - from) : undefined
  await sleep(Math.max(0, from + fault.lasting - load.now()) * 1000)
  const repaired = load.now()
  mend()
  await sleep(QUIET_SECONDS * 1000)
  const isWell = await replicas.whenWell(WELL_SECONDS).then(
    () => true,
    (error: Error) => !progress(error.message),
  )
  return { fault, name: fault.name, from, repaired, promoted, isWell }
}

/** Seconds to the last failed enrolment: from the fault and from the repair; and attempts without success. */
function roundOf({ fault, from, repaired, promoted }: Span, until: number, { posts, others }: Ledger) {
  const enrolments = posts.flatMap(({ tries }) => tries)
  const afterRepair = fixed(disturbedFor(enrolments, repaired, until))
  const failed = (tries: typeof others) =>
    tries.filter(({ at, status }) => at > from && at <= until && status !== 200).length
  return {
    promoted,
    recoverySeconds: fault.countsFromRepair ? afterRepair : fixed(disturbedFor(enrolments, from, repaired)),
    afterRepair,
    failedPosts: failed(enrolments),
    failedSearches: failed(others),
  }
}

type Round = ReturnType<typeof roundOf> & { name: string; longestSeconds: number }

/** One line per fault, with the greatest times of its rounds. */
const summaries = (rounds: readonly Round[]) =>
  [...Map.groupBy(rounds, ({ name }) => name)].map(([name, own]) => ({
    ...{ name, rounds: own.length },
    promoted: Math.max(...own.map(one => one.promoted ?? 0)) || 'never',
    recoverySeconds: Math.max(...own.flatMap(one => [one.recoverySeconds, one.afterRepair])),
    longestSeconds: Math.max(...own.map(({ longestSeconds }) => longestSeconds)),
    failedPosts: sum(own.map(one => one.failedPosts)),
    failedSearches: sum(own.map(one => one.failedSearches)),
  }))

/** Acknowledged faces whose vectors are in no gallery of the store. */
async function vectorless(core: string, { posts }: Ledger): Promise<number> {
  const answerOf = async (path: string) => {
    const answer = await fetch(core + path)
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`)
    return answer.json()
  }
  const ids = new Set<number>()
  const { galleries } = (await answerOf('/stat/list/1/100000?info=1')) as { galleries: { name: string }[] }
  for (const { name } of galleries)
    for (let from: number | null = 0; from !== null; ) {
      const page = (await answerOf(`/v1/${name}/list/${from}/500`)) as Page
      for (const { id } of page.faces) ids.add(id)
      from = page.next
    }
  return posts.filter(({ face }) => face && !ids.has(face.id)).length
}

interface Page {
  faces: { id: number }[]
  next: number | null
}
