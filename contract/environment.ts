/**
 * Time, chance and waiting. The sources take them from here and nowhere else: the simulator (test/simulation) replaces them by
 * values that a seed decides. Randomness of keys, tokens and nonces comes from the runtime: it decides no order.
 */

/** A callback that waits. */
export interface Timer {
  cancel(): void
}

interface TimerOptions {
  /** False: the timer does not keep the process running. Default: true. */
  ref?: boolean
}

export interface Environment {
  /** The clock in Unix milliseconds. It can be set, also backwards. */
  now(): number
  /** Milliseconds since a fixed moment of this process. They only rise. */
  monotonic(): number
  /** 0..1, without 1. */
  random(): number
  /** A UUID. */
  id(): string
  /** Calls `run` after `ms` milliseconds. */
  timer(run: () => void, ms: number, options?: TimerOptions): Timer
  /** Calls `run` every `ms` milliseconds. */
  interval(run: () => void, ms: number, options?: TimerOptions): Timer
  /** A signal that aborts after `ms` milliseconds. It does not keep the process running. */
  deadline(ms: number): AbortSignal
  /** Resolves in a later turn of the event loop. Node only. */
  turn(): Promise<void>
}

/** The environment of this process. Each call looks up the function of the runtime. */
export const environment: Environment = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  random: () => Math.random(),
  id: () => crypto.randomUUID(),
  timer(run, ms, options) {
    const timer = setTimeout(run, ms)
    if (options?.ref === false) release(timer)
    return { cancel: () => clearTimeout(timer) }
  },
  interval(run, ms, options) {
    const timer = setInterval(run, ms)
    if (options?.ref === false) release(timer)
    return { cancel: () => clearInterval(timer) }
  },
  deadline: ms => AbortSignal.timeout(ms),
  turn: () => new Promise(resolve => setImmediate(resolve)),
}

/** In Node, timers are objects. */
const release = (timer: unknown) => (timer as { unref(): void }).unref()

interface SleepOptions extends TimerOptions {
  /** Ends the wait: it rejects with the reason of the signal. */
  signal?: AbortSignal
}

/** Resolves after `ms` milliseconds. */
export function sleep(ms: number, { signal, ref }: SleepOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      timer.cancel()
      reject(signal?.reason)
    }
    const timer = environment.timer(
      () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      },
      ms,
      { ref },
    )
    signal?.addEventListener('abort', stop, { once: true })
  })
}

interface RetryOptions<Result> {
  /** Whether another attempt makes sense after this error, and so many failed attempts. Default: after none. */
  isTemporary?(error: unknown, failures: number): boolean
  /** Whether this result is the last one. Default: each one is. The last attempt returns any result. */
  isDone?(result: Result): boolean
  /** Attempts at most, and milliseconds since the first one after which none begins. Default: no bound. */
  attempts?: number
  forMs?: number
  /** Milliseconds before the next attempt, after so many failed ones, the last with this error. Default: none. */
  delayMs?: number | ((failures: number, error: unknown) => number)
  /** Ends the waits: the call rejects with the reason of the signal. */
  signal?: AbortSignal
}

/** Repeats `work` until it succeeds. Rejects with the error of the last attempt. */
export async function retry<Result>(
  work: () => Result | Promise<Result>,
  {
    isTemporary = () => false,
    isDone = () => true,
    attempts = Number.POSITIVE_INFINITY,
    forMs = Number.POSITIVE_INFINITY,
    delayMs = 0,
    signal,
  }: RetryOptions<Result>,
): Promise<Result> {
  const end = environment.monotonic() + forMs
  for (let failures = 1; ; failures++) {
    const isLast = () => failures >= attempts || environment.monotonic() >= end
    let failure: unknown
    try {
      const result = await work()
      if (isDone(result) || isLast()) return result
    } catch (error) {
      if (!isTemporary(error, failures) || isLast()) throw error
      failure = error
    }
    const ms = typeof delayMs === 'number' ? delayMs : delayMs(failures, failure)
    if (ms > 0) await sleep(ms, { signal })
  }
}

/** Replaces the environment. Only the simulator calls it. Returns a function that puts the previous one back. */
export function replaceEnvironment(replacement: Environment): () => void {
  const previous = { ...environment }
  Object.assign(environment, replacement)
  return () => void Object.assign(environment, previous)
}
