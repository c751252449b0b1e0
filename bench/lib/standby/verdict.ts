/** Judges the faults of a primary: time to recovery, duration of requests, failed searches, stored vectors. */
import { fixed } from '../../benchmark.ts'
import type { Ledger, Try } from '../cluster/callers.ts'
import { disturbedFor, triesOf } from '../cluster/verdict.ts'
import type { PrimaryFault } from './faults.ts'

/** A fault that occurred. Times are in seconds since the load began. */
export interface FaultSpan {
  fault: PrimaryFault
  from: number
  repaired: number
  /** All members are well, or the wait for them ended. */
  until: number
  /** Seconds from the fault until a standby is the primary; undefined when none took over. */
  promotedSeconds: number | undefined
  /** Whether all members came back. */
  isWell: boolean
}

export interface Round {
  name: string
  promotedSeconds: number | undefined
  /** Seconds to the last failed enrolment: from the fault, or from the repair of a full disk. */
  recoverySeconds: number
  /** Seconds to the last failed enrolment after the repair. */
  afterRepairSeconds: number
  longestSeconds: number
  /** Attempts to enrol without success. Their callers repeat them. */
  failedPosts: number
  failedSearches: number
}

export function roundOf({ fault, from, repaired, until, promotedSeconds }: FaultSpan, ledger: Ledger): Round {
  const posts = ledger.posts.flatMap(({ tries }) => tries)
  const isDuring = ({ at }: Try) => at > from && at <= until
  const during = triesOf(ledger).filter(isDuring)
  const failuresOf = (tries: readonly Try[]) =>
    tries.filter(one => isDuring(one) && one.status !== 200).length
  const afterRepair = fixed(disturbedFor(posts, repaired, until))
  return {
    name: fault.name,
    promotedSeconds: promotedSeconds && fixed(promotedSeconds),
    recoverySeconds: fault.countsFromRepair ? afterRepair : fixed(disturbedFor(posts, from, repaired)),
    afterRepairSeconds: afterRepair,
    longestSeconds: fixed(Math.max(0, ...during.map(({ ms }) => ms)) / 1000),
    failedPosts: failuresOf(posts),
    failedSearches: failuresOf(ledger.identifies),
  }
}

export interface Summary {
  name: string
  rounds: number
  promotedSeconds: number | undefined
  recoverySeconds: number
  longestSeconds: number
  failedPosts: number
  failedSearches: number
}

/** One line per fault, with the greatest times of its rounds. */
export const summaries = (rounds: readonly Round[]): Summary[] =>
  [...Map.groupBy(rounds, ({ name }) => name)].map(([name, own]) => ({
    name,
    rounds: own.length,
    promotedSeconds: own.some(one => one.promotedSeconds !== undefined)
      ? Math.max(...own.map(one => one.promotedSeconds ?? 0))
      : undefined,
    recoverySeconds: Math.max(...own.flatMap(one => [one.recoverySeconds, one.afterRepairSeconds])),
    longestSeconds: Math.max(...own.map(({ longestSeconds }) => longestSeconds)),
    failedPosts: own.reduce((sum, one) => sum + one.failedPosts, 0),
    failedSearches: own.reduce((sum, one) => sum + one.failedSearches, 0),
  }))

/** Ids of all vectors of the only gallery of a store. */
export async function storedIds(core: string): Promise<Set<number>> {
  const answerOf = async (path: string) => {
    const answer = await fetch(core + path)
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`)
    return answer.json()
  }
  const { galleries } = (await answerOf('/stat/list/1/1?info=1')) as { galleries: { name: string }[] }
  const ids = new Set<number>()
  for (let from: number | null = 0; from !== null; ) {
    const page = (await answerOf(`/v1/${galleries[0]!.name}/list/${from}/500`)) as {
      faces: { id: number }[]
      next: number | null
    }
    for (const { id } of page.faces) ids.add(id)
    from = page.next
  }
  return ids
}
