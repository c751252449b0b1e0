/** The seeded scheduler: virtual time, and one step of input or output at a time, in an order that the seed decides. */

import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { setImmediate as realTurn } from 'node:timers/promises'
import { type Environment, replaceEnvironment, type Timer } from '#contract/environment.ts'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import { times } from '#test/support/times.ts'

/** A simulated process. Its steps and timers end with it. */
export interface Process {
  readonly name: string
  isAlive: boolean
  /**
   * Whether it does not die. Other cores remove the vectors of the intents of a core that they presume dead, and it can store a
   * vector after that. If it dies before it notices, the vector stays until `mien store repair`.
   */
  isSpared: boolean
  /** Resolves when the process has died. */
  readonly death: PromiseWithResolvers<void>
  /** Frees resources that the operating system frees at the end of a process. */
  release(): void
}

/** Share of the steps that meet each fault, 0..1. */
export interface Faults {
  /** The process dies before, after, or in the middle of a write. */
  crash: number
  /** A write is refused, or done without an answer. */
  failure: number
  /** A timer fires before the steps that wait. */
  slow: number
}

/** How a step can fail. */
export interface StepFaults {
  /** The error of a step that is not executed. */
  refused?(): Error
  /** The error of a step that is executed, but whose answer is lost. */
  lost?(): Error
}

/** A call that waits for its turn. `torn`: it is to be done in part, and the process dies then. */
interface Step extends StepFaults {
  what: string
  process: Process | undefined
  run(torn: boolean): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

interface WaitingTimer {
  due: number
  process: Process | undefined
  run(): void
}

/** The wall clock at the start, in Unix milliseconds. */
const START = 1_800_000_000_000

/** Most steps and timers of a history: more is a hang. */
const MOST_TURNS = 200_000

/** A history that makes no progress. */
class Stuck extends Error {
  override readonly name = 'Stuck'
}

export class Scheduler {
  readonly chance: Chance
  readonly faults: Faults = { crash: 0, failure: 0, slow: 0 }
  /** The last steps, for the report of a failure. */
  readonly trace: string[] = []
  /** Number of executed steps. It also orders events of the history. */
  steps = 0
  readonly #hash = createHash('sha256')
  readonly #context = new AsyncLocalStorage<Process | undefined>()
  readonly #restore: () => void
  #ready: Step[] = []
  #timers = new Set<WaitingTimer>()
  #monotonic = 0
  #offset = START
  #isStepping = false

  constructor(seed: number) {
    this.chance = seeded(seed)
    this.#restore = replaceEnvironment(this.#environment())
  }

  /** A digest of all steps: equal histories have equal ones. */
  digest(): string {
    return this.#hash.copy().digest('hex')
  }

  newProcess(name: string): Process {
    return { name, isAlive: true, isSpared: false, death: Promise.withResolvers(), release: () => {} }
  }

  /** Runs code as this process: its steps and timers belong to it. */
  within<Result>(process: Process | undefined, work: () => Result): Result {
    return this.#context.run(process, work)
  }

  /** Waits for the turn of a step, which then runs alone. */
  step<Result>(
    what: string,
    run: (torn: boolean) => Promise<Result>,
    faults: StepFaults = {},
  ): Promise<Result> {
    // A step runs alone: it does not wait for other steps.
    if (this.#isStepping) return run(false)
    const process = this.#context.getStore()
    return new Promise((resolve, reject) => {
      if (process && !process.isAlive) return
      // In the context of its request: the context follows writes for the request.
      const inContext = AsyncLocalStorage.bind(run)
      const settle = { resolve: resolve as Step['resolve'], reject }
      this.#ready.push({ ...faults, what, process, run: inContext, ...settle })
    })
  }

  /** Ends a process without a word to its code: nothing of it runs again. */
  kill(process: Process): void {
    process.isAlive = false
    this.#ready = this.#ready.filter(step => step.process !== process)
    for (const timer of this.#timers) if (timer.process === process) this.#timers.delete(timer)
    process.death.resolve()
  }

  /** Sets the wall clock of the machine. Waits do not change. */
  jump(ms: number): void {
    this.#offset += ms
    this.#note(`clock ${ms}`)
  }

  /** Runs steps and timers until `work` has ended. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    let isOver = false
    const ended = this.within(undefined, work).finally(() => (isOver = true))
    ended.catch(() => {})
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      // All code has run that can run without a further step: it runs in microtasks.
      await realTurn()
      if (isOver) return await ended
      const isLate = this.#timers.size > 0 && this.chance.is(this.faults.slow)
      if (this.#ready.length > 0 && !isLate) await this.#execute(this.#take())
      else if (!this.#fireNext()) throw new Stuck('nothing is left to run')
    }
    throw new Stuck(`no end after ${MOST_TURNS} turns`)
  }

  close(): void {
    this.#ready = []
    this.#timers.clear()
    this.#restore()
  }

  #take(): Step {
    const [step] = this.#ready.splice(this.chance.below(this.#ready.length), 1)
    return step!
  }

  async #execute(step: Step): Promise<void> {
    const { process } = step
    const fate = this.#fateOf(step)
    this.steps++
    this.#note(`${process?.name ?? 'driver'} ${step.what}${fate === 'done' ? '' : ` (${fate})`}`)
    if (fate === 'crash before') return this.kill(process!)
    if (fate === 'refused') return step.reject(step.refused!())
    const outcome = await this.#alone(step, fate === 'torn')
    if (fate === 'torn' || fate === 'crash after') return this.kill(process!)
    if (fate === 'lost') return step.reject(step.lost!())
    if ('error' in outcome) step.reject(outcome.error)
    else step.resolve(outcome.value)
  }

  async #alone(step: Step, torn: boolean): Promise<{ value: unknown } | { error: unknown }> {
    this.#isStepping = true
    try {
      return { value: await this.within(step.process, () => step.run(torn)) }
    } catch (error) {
      return { error }
    } finally {
      this.#isStepping = false
    }
  }

  #fateOf({ process, refused, lost }: Step): string {
    if (process && !process.isSpared && this.chance.is(this.faults.crash))
      return this.chance.of(['crash before', 'crash after', 'torn'])
    const failures = [...(refused ? ['refused'] : []), ...(lost ? ['lost'] : [])]
    return failures.length > 0 && this.chance.is(this.faults.failure) ? this.chance.of(failures) : 'done'
  }

  #note(text: string): void {
    this.#hash.update(`${text}\n`)
    this.trace.push(`${Math.round(this.#monotonic)} ms ${text}`)
    if (this.trace.length > 2_000) this.trace.splice(0, 1_000)
  }

  /** Advances the clock to the next timer and fires it. False without timers. */
  #fireNext(): boolean {
    let next: WaitingTimer | undefined
    for (const timer of this.#timers) if (!next || timer.due < next.due) next = timer
    if (!next) return false
    this.#monotonic = Math.max(this.#monotonic, next.due)
    this.#timers.delete(next)
    this.within(next.process, next.run)
    return true
  }

  #timer(run: () => void, ms: number): Timer {
    const timer = { due: this.#monotonic + Math.max(0, ms), process: this.#context.getStore(), run }
    if (timer.process?.isAlive !== false) this.#timers.add(timer)
    return { cancel: () => void this.#timers.delete(timer) }
  }

  #environment(): Environment {
    const every = (run: () => void, ms: number): Timer => {
      let timer: Timer
      const again = () => {
        timer = this.#timer(() => {
          again()
          run()
        }, ms)
      }
      again()
      return { cancel: () => timer.cancel() }
    }
    return {
      now: () => Math.floor(this.#offset + this.#monotonic),
      monotonic: () => this.#monotonic,
      random: () => this.chance.next(),
      id: () => this.chance.uuid(),
      timer: (run, ms) => this.#timer(run, ms),
      interval: every,
      deadline: ms => {
        const controller = new AbortController()
        this.#timer(() => controller.abort(new DOMException('late', 'TimeoutError')), ms)
        return controller.signal
      },
      turn: () => (this.#isStepping ? realTurn() : this.step('turn', async () => {})),
    }
  }
}

interface Chance {
  /** 0..1, without 1. */
  next(): number
  /** An integer from 0 to `count` - 1. */
  below(count: number): number
  /** True with this probability. */
  is(probability: number): boolean
  of<Item>(items: readonly Item[]): Item
  uuid(): string
}

function seeded(seed: number): Chance {
  const next = seededRandom(Math.imul(seed, 0x9e3779b1))
  const below = (count: number) => Math.floor(next() * count)
  const hex = (digits: number) => times(digits, () => below(16).toString(16)).join('')
  return {
    next,
    below,
    is: probability => probability > 0 && next() < probability,
    of: items => items[below(items.length)]!,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  }
}
