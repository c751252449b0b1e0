/** The common verdict on each fault of a game day: wrong answers, the longest request, and the time to recovery. */
import type { Happened } from '../cluster/faults.ts'
import { answersOf, disturbedFor } from '../cluster/verdict.ts'
import type { GameLedger, GameTry } from './callers.ts'

export interface FaultVerdict {
  name: string
  /** Responses from the beginning of the fault to the next one. */
  answers: Record<string, number>
  /** Responses that are neither 200 nor 503 or 429 with Retry-After, and requests without a response. */
  wrong: number
  /** Responses that show data of another owner. */
  foreign: number
  /** Acknowledged enrolments of this time that are lost at the end, and faces that exist twice. */
  lost: number
  doubled: number
  longestSeconds: number
  /** Seconds from the repair to the last response other than 200. */
  recoverySeconds: number
}

export const gameTries = ({ posts, others }: GameLedger): GameTry[] => [
  ...posts.flatMap(({ tries }) => tries),
  ...others,
]

const REFUSALS = [429, 503]

export const isRight = ({ status, hasRetryAfter }: GameTry): boolean =>
  status === 200 || (REFUSALS.includes(status) && hasRetryAfter)

/** What the service keeps at the end: the ids of faces by meta. */
export type KeptIds = ReadonlyMap<string, readonly number[]>

/** Judges the time from each fault to the next one. A request belongs to the fault in which its response arrives. */
export const verdicts = (
  happened: readonly Happened[],
  ledger: GameLedger,
  kept: KeptIds,
  end: number,
): FaultVerdict[] =>
  happened.map(({ name, from, repaired }, i) => {
    const until = happened[i + 1]?.from ?? end
    const within = ({ at }: { at: number }) => at > from && at <= until
    const tries = gameTries(ledger).filter(within)
    const posts = ledger.posts.filter(({ tries: own }) => own.some(within) && within(own.at(-1)!))
    const idsOf = (key: string) => kept.get(key) ?? []
    return {
      name,
      answers: answersOf(tries),
      wrong: tries.filter(one => !isRight(one)).length,
      foreign: tries.filter(({ isForeign }) => isForeign).length,
      lost: posts.filter(({ face, key }) => face && !idsOf(key).includes(face.id)).length,
      doubled: posts.filter(({ key }) => idsOf(key).length > 1).length,
      longestSeconds: Math.max(0, ...tries.map(({ ms }) => ms)) / 1000,
      recoverySeconds: disturbedFor(tries, repaired, until),
    }
  })
