/** Failover between cores: tries cores in order, within one timeout. A request that is not repeatable executes at most once. */
import { environment } from '../../contract/environment.ts'
import { EDGE_LIMITS } from '../../contract/limits/edge.ts'
import { type CircuitBreaker, circuitBreaker } from './circuit-breaker.ts'
import { CoreUnavailable } from './core-response.ts'

export interface AttemptLimits {
  /** Aborts the attempt. After the attempt its result may keep using it. */
  controller: AbortController
  /** Unix milliseconds: when the attempt is aborted at the latest. */
  end: number
  /** No other core is left for the request. */
  isLast: boolean
}

/**
 * Sends the request to the core at this URL, with a new signature per attempt. Throws CoreUnavailable when the core gives no
 * response; any other error is core's response.
 */
type Attempt<Result> = (url: string, limits: AttemptLimits) => Promise<Result>

interface Asked {
  isRepeatable: boolean
  /** Changes have more time. Default: false. */
  isChange?: boolean
  /** Requests with one key try the cores in one order, whichever edge sends them. */
  key?: string
}

interface CoreFailover {
  /** Result of the first core that responds. Throws core's refusal, or CoreUnavailable when no core responds in time. */
  ask<Result>(asked: Asked, attempt: Attempt<Result>): Promise<Result>
}

export interface FailoverOptions {
  urls: readonly string[]
  /** Timeout of all attempts together, in milliseconds: of a change, and of another request. */
  changeMs: number
  answerMs: number
  /** Health check of one core. Throws as an attempt does. */
  checkHealth(url: string, controller: AbortController): Promise<unknown>
  /** Runs a task that may outlast its request. */
  background?: (work: Promise<void>) => void
  /** Called when a core is skipped (false), and when it is used again (true). */
  onChange?: (url: string, isClosed: boolean) => void
}

interface CoreState {
  url: string
  breaker: CircuitBreaker
}

/** One step of a failover: the core to try next. */
interface Turn {
  core: CoreState
  /** Cores to try after this one. */
  rest: readonly CoreState[]
  isRepeatable: boolean
  /** Deadline of the request: Unix milliseconds. */
  end: number
}

export function coreFailover(options: FailoverOptions): CoreFailover {
  const { urls, changeMs, answerMs, checkHealth, background = () => {}, onChange } = options
  const { now, random } = environment
  const [only, ...others] = urls
  if (only !== undefined && others.length === 0) return singleCore(only, options)

  const all: CoreState[] = urls.map(url => ({
    url,
    breaker: circuitBreaker({ now, random, onChange: isClosed => onChange?.(url, isClosed) }),
  }))
  let turns = 0

  /** Runs a health check; true when the core is ready. Never throws. `isDue`: the check was scheduled. */
  const checkCore = async (
    { url, breaker }: CoreState,
    isDue: boolean,
    ms: number = EDGE_LIMITS.coreCheckMs,
  ) => {
    const began = now()
    try {
      await withTimeout(ms, controller => checkHealth(url, controller))
      breaker.ready(now() - began)
      return true
    } catch (error) {
      const reason = error instanceof CoreUnavailable ? error.why : 'unavailable'
      if (reason === 'draining') breaker.draining()
      else if (!isDue) breaker.requestFailed()
      else if (reason === 'lost' || reason === 'unreached') breaker.checkTimedOut()
      else breaker.unready()
      return false
    }
  }

  const startDueChecks = (cores: readonly CoreState[]) => {
    for (const core of cores) if (core.breaker.claimCheck()) background(checkCore(core, true).then(() => {}))
  }

  /**
   * Whether to try this core after `failure` of the previous one. A request that is not repeatable goes only to a core that
   * responded recently or passes a health check. The check of the last core may take all of the remaining time.
   */
  const shouldTry = async ({ core, rest, isRepeatable, end }: Turn, failure: CoreUnavailable) => {
    // A dependency that one core cannot reach is rarely available to a core with an open breaker.
    if (failure.why === 'unavailable' && !core.breaker.isClosed) return false
    if (isRepeatable || core.breaker.isRecentlyAlive) return true
    return checkCore(core, false, rest.length > 0 ? EDGE_LIMITS.coreCheckMs : end - now())
  }

  /** One attempt. A repeatable attempt is aborted when a health check gets no response and another core is available. */
  const tryCore = <Result>({ core, rest, isRepeatable, end }: Turn, attempt: Attempt<Result>) =>
    withTimeout(end - now(), async controller => {
      const began = now()
      const watch = environment.interval(() => {
        const hasAlternative = isRepeatable && rest.some(({ breaker }) => breaker.isClosed)
        if (hasAlternative && core.breaker.silentAt > began) controller.abort()
        core.breaker.suspect()
        startDueChecks([core])
      }, EDGE_LIMITS.coreSlowMs)
      try {
        const answer = await attempt(core.url, { controller, end, isLast: rest.length === 0 })
        core.breaker.requestSucceeded(began)
        return answer
      } catch (error) {
        recordFailure(core.breaker, began, error)
        throw error
      } finally {
        watch.cancel()
      }
    })

  return {
    async ask({ isRepeatable, isChange = false, key }, attempt) {
      const end = now() + (isChange ? changeMs : answerMs)
      let failure = new CoreUnavailable('lost', new Error('No core responded'))
      startDueChecks(all)
      const order = key === undefined ? orderCores(all, turns++) : keyedOrder(all, key)
      for (const [i, core] of order.entries()) {
        const turn = { core, rest: order.slice(i + 1), isRepeatable, end }
        if (!(await shouldTry(turn, failure))) continue
        if (now() >= end) break
        try {
          return await tryCore(turn, attempt)
        } catch (error) {
          failure = failureToPassBy(error, isRepeatable, failure)
        }
      }
      throw failure
    },
  }
}

/**
 * The failure of a request that the next core may get, for the caller if that fails, too. One core that may have executed it makes the
 * outcome unknown. Throws an error after which no other core may get the request.
 */
function failureToPassBy(error: unknown, isRepeatable: boolean, previous: CoreUnavailable): CoreUnavailable {
  if (!(error instanceof CoreUnavailable) || !(isRepeatable || error.notExecuted)) throw error
  return previous.why === 'unknown' ? previous : error
}

/**
 * Failover with one core. workerd does not tell a refused connection from a lost answer: a change that is not repeatable goes only to
 * a core that responded recently, or responds to a health check. Its failure then changed nothing.
 */
function singleCore(url: string, { changeMs, answerMs, checkHealth }: FailoverOptions): CoreFailover {
  const { now } = environment
  let aliveAt = -Infinity

  const assertAlive = async (ms: number) => {
    if (now() - aliveAt < EDGE_LIMITS.coreAliveMs) return
    try {
      await withTimeout(ms, controller => checkHealth(url, controller))
    } catch (error) {
      if (error instanceof CoreUnavailable && error.why === 'lost')
        throw new CoreUnavailable('unreached', error.cause)
    }
  }

  return {
    async ask({ isChange = false }, attempt) {
      const end = now() + (isChange ? changeMs : answerMs)
      if (isChange) await assertAlive(answerMs)
      const began = now()
      try {
        const answer = await withTimeout(end - began, controller =>
          attempt(url, { controller, end, isLast: true }),
        )
        aliveAt = began
        return answer
      } catch (error) {
        aliveAt = error instanceof CoreUnavailable ? -Infinity : began
        throw error
      }
    },
  }
}

/** Records the failure of a request that was sent at `sentAt`. */
function recordFailure(breaker: CircuitBreaker, sentAt: number, error: unknown) {
  if (!(error instanceof CoreUnavailable) || error.why === 'older') breaker.requestSucceeded(sentAt)
  else if (error.why === 'draining') breaker.draining()
  else if (error.why === 'unavailable') breaker.suspect()
  else breaker.requestFailed()
}

/** Runs `task` and aborts it after `ms` milliseconds. */
async function withTimeout<Result>(
  ms: number,
  task: (controller: AbortController) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const timer = environment.timer(() => controller.abort(), ms)
  try {
    return await task(controller)
  } finally {
    timer.cancel()
  }
}

/** Every core once, by the hash of key and URL (rendezvous hashing); cores with an open breaker last. */
export const keyedOrder = <Core extends { url: string; breaker: BreakerState }>(
  cores: readonly Core[],
  key: string,
): Core[] =>
  cores.toSorted(
    (a, b) =>
      Number(b.breaker.isClosed) - Number(a.breaker.isClosed) || hashOf(key + a.url) - hashOf(key + b.url),
  )

/** 32 bits of FNV-1a. */
const hashOf = (text: string) => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

type BreakerState = Pick<CircuitBreaker, 'isClosed' | 'latency' | 'nextCheckAt'>

/** A core counts as near up to this multiple of the lowest latency, plus EDGE_LIMITS.coreNearMs. */
const NEAR_FACTOR = 1.5

/**
 * Every core once: near cores in rotation, then farther cores, then cores with an open breaker: they may be the only cores.
 * `turn` increases by one per request. A core without a health check counts as near.
 */
export function orderCores<Core extends { breaker: BreakerState }>(
  cores: readonly Core[],
  turn: number,
): Core[] {
  const closed = cores.filter(({ breaker }) => breaker.isClosed)
  const nearest = Math.min(...closed.map(({ breaker }) => breaker.latency ?? Infinity))
  const isNear = ({ breaker }: Core) =>
    breaker.latency === undefined || breaker.latency <= nearest * NEAR_FACTOR + EDGE_LIMITS.coreNearMs
  const near = closed.filter(isNear)
  const first = near.length === 0 ? 0 : turn % near.length
  return [
    ...near.slice(first),
    ...near.slice(0, first),
    ...closed.filter(core => !isNear(core)).sort(by(({ latency }) => latency ?? 0)),
    ...cores.filter(({ breaker }) => !breaker.isClosed).sort(by(({ nextCheckAt }) => nextCheckAt)),
  ]
}

const by =
  (value: (state: BreakerState) => number) =>
  (one: { breaker: BreakerState }, other: { breaker: BreakerState }): number =>
    value(one.breaker) - value(other.breaker)
