/** Which core answers a question: one after the other, within one time, and never twice what must not be done twice. */
import { LIMITS } from '../../core/contract/limits.ts'
import { type CircuitBreaker, circuitBreaker } from './circuit-breaker.ts'
import { orderCores } from './core-order.ts'
import { CoreUnavailable } from './core-unavailable.ts'

/**
 * Asks the core at this URL, signed anew each time. Throws CoreUnavailable when that one gave no answer; whatever else it throws
 * is core's answer. The controller ends it; once it has come to its end, whoever asks may go on to use it.
 */
export type Attempt<Result> = (url: string, controller: AbortController) => Promise<Result>

export interface CoreFailover {
  /** The answer of the first core that gives one. Throws what core refuses with, and CoreUnavailable when none answers in time. */
  ask<Result>(isRepeatable: boolean, attempt: Attempt<Result>): Promise<Result>
}

export interface FailoverOptions {
  urls: readonly string[]
  /** Milliseconds that an answer may take, all attempts together. */
  answerMs: number
  /** Asks a core whether it is ready. */
  look: Attempt<unknown>
  /** Takes work that may outlast the request it comes from. */
  background?: ((work: Promise<void>) => void) | undefined
  /** Is told when a core is passed over, and when it is asked again. */
  onChange?: ((url: string, isClosed: boolean) => void) | undefined
  now?: () => number
  random?: () => number
}

interface Known {
  url: string
  breaker: CircuitBreaker
}

/** A core whose turn it is to be asked. */
interface Turn {
  core: Known
  /** Those whose turn is later. */
  rest: readonly Known[]
  isRepeatable: boolean
  /** When the answer has to be there: unix milliseconds. */
  end: number
}

export function coreFailover(options: FailoverOptions): CoreFailover {
  const {
    urls,
    answerMs,
    look,
    background = () => {},
    onChange,
    now = Date.now,
    random = Math.random,
  } = options
  const [only, ...others] = urls
  if (only !== undefined && others.length === 0)
    return { ask: (_, attempt) => within(answerMs, controller => attempt(only, controller)) }

  const all: Known[] = urls.map(url => ({
    url,
    breaker: circuitBreaker({ now, random, onChange: isClosed => onChange?.(url, isClosed) }),
  }))
  let turns = 0

  /** Whether it is ready now; never throws. `isTurn` when the look was due, so that its failure counts. */
  const analyze = async (
    { url, breaker }: Known,
    isTurn: boolean,
    ms: number = LIMITS.coreLookMs,
  ): Promise<boolean> => {
    const began = now()
    try {
      await within(ms, controller => look(url, controller))
      breaker.ready(now() - began)
      return true
    } catch (error) {
      const how = error instanceof CoreUnavailable ? error.why : 'unavailable'
      if (how === 'going') breaker.going()
      else if (!isTurn) breaker.lost()
      else if (how === 'lost' || how === 'unreached') breaker.silent()
      else breaker.unready()
      return false
    }
  }

  const lookAtDue = (known: readonly Known[]): void => {
    for (const core of known) if (core.breaker.takeLook()) background(analyze(core, true).then(() => {}))
  }

  /**
   * Whether a core is asked, after one that was `away`. A change is asked only of who is surely there; the last one has
   * all the time that is left to say so.
   */
  const isNext = async ({ core, rest, isRepeatable, end }: Turn, away: CoreUnavailable): Promise<boolean> => {
    // What is away for one core is seldom there for one that is passed over.
    if (away.why === 'unavailable' && !core.breaker.isClosed) return false
    if (isRepeatable || core.breaker.isHeard) return true
    return analyze(core, false, rest.length > 0 ? LIMITS.coreLookMs : end - now())
  }

  /** One attempt, given up when a look finds the core silent meanwhile and another one is there to answer sooner. */
  const asked = <Result>({ core, rest, isRepeatable, end }: Turn, attempt: Attempt<Result>) =>
    within(end - now(), async controller => {
      const began = now()
      const watch = setInterval(() => {
        const isElsewhere = isRepeatable && rest.some(({ breaker }) => breaker.isClosed)
        if (isElsewhere && core.breaker.silentAt > began) controller.abort()
        core.breaker.doubted()
        lookAtDue([core])
      }, LIMITS.coreSlowMs)
      try {
        const answer = await attempt(core.url, controller)
        core.breaker.answered(began)
        return answer
      } catch (error) {
        note(core.breaker, began, error)
        throw error
      } finally {
        clearInterval(watch)
      }
    })

  return {
    async ask(isRepeatable, attempt) {
      const end = now() + answerMs
      let away = new CoreUnavailable('lost', new Error('No core answers'))
      lookAtDue(all)
      const order = orderCores(all, turns++)
      for (const [i, core] of order.entries()) {
        const turn = { core, rest: order.slice(i + 1), isRepeatable, end }
        if (!(await isNext(turn, away))) continue
        if (now() >= end) break
        try {
          return await asked(turn, attempt)
        } catch (error) {
          if (!(error instanceof CoreUnavailable) || !(isRepeatable || error.notExecuted)) throw error
          away = error
        }
      }
      throw away
    },
  }
}

/** What the end of a question that was asked then tells of the core. */
function note(breaker: CircuitBreaker, asked: number, error: unknown): void {
  if (!(error instanceof CoreUnavailable)) breaker.answered(asked)
  else if (error.why === 'going') breaker.going()
  else if (error.why === 'unavailable') breaker.doubted()
  else breaker.lost()
}

/** The work, told to end after so many milliseconds. */
async function within<Result>(
  ms: number,
  work: (controller: AbortController) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), ms)
  try {
    return await work(controller)
  } finally {
    clearTimeout(timer)
  }
}
