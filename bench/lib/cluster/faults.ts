/** Faults of a cluster, in sequence: kills parts, and starts them again. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Face } from '#clients/typescript/src/index.ts'
import { EDGE_LIMITS } from '#contract/limits/edge.ts'
import { progress } from '../../benchmark.ts'
import type { Rig } from '../../rig.ts'
import { counts, fixed } from '../../statistics.ts'
import type { Cluster } from './cluster.ts'
import { type Ledger, type Post, startLoad, type Try } from './load.ts'
import type { Node } from './node.ts'

export interface Fault {
  name: string
  /** Causes the fault. Returns the function that repairs it. The function resolves after the repair. */
  begin(): Promise<() => unknown>
  /** The repair follows at once: the fault is what happens during the repair. */
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

/** A fault that occurred. Times are in seconds since the load began. */
interface Happened {
  name: string
  from: number
  /** Time of the repair, or of the restart. */
  repaired: number
}

/** Faces of the service at the end, by owner. */
type Kept = ReadonlyMap<string, readonly Pick<Face, 'id' | 'meta' | 'person_id'>[]>

/** Targets of every cluster. The longest request is bounded by the edge's deadline for core, and its own work. */
const TARGETS = {
  acknowledged: 'all',
  lost: 0,
  doubled: 0,
  split: 0,
  foreign: 0,
  wrong: 0,
  longestSeconds: `<= ${EDGE_LIMITS.coreAnswerMs / 1000}`,
}

const triesOf = ({ posts, others }: Ledger) => [...posts.flatMap(({ tries }) => tries), ...others]

const REFUSALS = [429, 503]

/** Whether a response is 200, or refuses with 503 or 429 and Retry-After. */
const isRight = ({ status, hasRetryAfter }: Try) =>
  status === 200 || (REFUSALS.includes(status) && hasRetryAfter)

/** Judges requests and enrolments. */
function judge(tries: readonly Try[], posts: readonly Post[], kept: Kept) {
  const facesOf = ({ owner, key }: Post) => (kept.get(owner) ?? []).filter(({ meta }) => meta === key)
  const isDoubled = (post: Post) => {
    const faces = facesOf(post)
    return faces.length > 1 || (post.face && faces[0] && faces[0].id !== post.face.id)
  }
  return {
    /** Acknowledged faces that do not exist. */
    lost: posts.filter(post => post.face && facesOf(post).length === 0).length,
    /** Posts with more than one face, or with another face than acknowledged. */
    doubled: posts.filter(isDoubled).length,
    /** Responses that show data of another owner. */
    foreign: tries.filter(({ isForeign }) => isForeign).length,
    wrong: tries.filter(one => !isRight(one)).length,
    longestSeconds: fixed(Math.max(0, ...tries.map(({ ms }) => ms)) / 1000),
    /** Requests by status, or by the reason of a missing response. */
    answers: counts(tries.map(({ status, why }) => why ?? status)),
  }
}

/** Judges the whole run. */
function verdict(ledger: Ledger, kept: Kept) {
  const { posts } = ledger
  const persons = new Map<string, Set<unknown>>()
  for (const { owner, person, key } of posts)
    for (const { meta, person_id } of kept.get(owner) ?? []) {
      const name = `${owner} ${person}`
      if (meta === key) persons.set(name, (persons.get(name) ?? new Set()).add(person_id))
    }
  const tries = triesOf(ledger)
  return {
    requests: tries.length,
    posts: posts.length,
    acknowledged: posts.filter(({ face }) => face).length,
    ...judge(tries, posts, kept),
    /** People of one owner with several person numbers. */
    split: [...persons.values()].filter(numbers => numbers.size > 1).length,
  }
}

/** Judges the time from each fault to the next one. A request belongs to the fault in which its response arrives. */
const faultVerdicts = (happened: readonly Happened[], ledger: Ledger, kept: Kept, end: number) =>
  happened.map(({ name, from, repaired }, i) => {
    const until = happened[i + 1]?.from ?? end
    const within = ({ at }: Try) => at > from && at <= until
    const tries = triesOf(ledger).filter(within)
    const posts = ledger.posts.filter(({ tries: own }) => own.length > 0 && within(own.at(-1)!))
    return {
      name,
      from: fixed(from),
      repaired: fixed(repaired),
      recoverySeconds: fixed(disturbedFor(tries, repaired, until)),
      ...judge(tries, posts, kept),
    }
  })

/** Seconds from a repair to the last failed or missing response before `until`; 0 without one. */
function disturbedFor(tries: readonly Pick<Try, 'at' | 'status'>[], repaired: number, until: number) {
  const bad = tries.filter(({ at, status }) => status !== 200 && at > repaired && at <= until)
  return bad.length === 0 ? 0 : Math.max(...bad.map(({ at }) => at)) - repaired
}
