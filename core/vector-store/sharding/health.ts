/** Health: a shard is asked with a deadline, not believed everything, left alone while it is away, and waited for if that is new. */
import { LIMITS } from '../../contract/limits.ts'
import { inTime } from '../deadline.ts'
import { StoreUnavailable, type VectorStore } from '../vector-store.ts'
import { cellsOf } from './cells.ts'
import type { Place } from './layout.ts'

/** A gallery of no owner: looking for it is a light question. */
export const HEALTH_GALLERY = 'health'

/** Told when a shard is away, and when it is back. The cause is for a log that knows what of it may be said. */
export type OnShardAvailability = (event: 'shard away' | 'shard back', shard: Place, cause?: unknown) => void

/** A shard said what can't be true. */
export class InvalidShardAnswer extends Error {
  override readonly name = 'InvalidShardAnswer'
}

export interface AskOptions<Answer> {
  /** Whether the answer can be true; anything can when absent. */
  isValid?: (answer: Answer) => boolean
  /** Deadlines that the question is worth: more than one when it is about many vectors. */
  deadlines?: number
}

/** A time that a shard is away. */
interface Absence {
  /** Resolves when the shard is back; rejects with StoreUnavailable when that is not to be waited for any longer. */
  readonly over: PromiseWithResolvers<void>
  /** Ends the patience; undefined once it has. */
  patience: NodeJS.Timeout | undefined
}

/** One shard of several, and whether it is at hand. */
export class WatchedShard {
  readonly place: Place
  readonly cells: ReadonlySet<number>
  readonly #store: VectorStore
  readonly #news: OnShardAvailability
  readonly #patienceMs: number
  #absence: Absence | undefined
  /** Until the next check; undefined while one is under way. */
  #next: NodeJS.Timeout | undefined
  #closed = false

  /** `patienceMs` is how long, after it has gone, it is waited for. */
  constructor(
    store: VectorStore,
    place: Place,
    news: OnShardAvailability,
    patienceMs: number = LIMITS.shardPatienceMs,
  ) {
    this.place = place
    this.cells = new Set(cellsOf(place.cells))
    this.#store = store
    this.#news = news
    this.#patienceMs = patienceMs
    this.#checkLater()
  }

  /** Throws StoreUnavailable while the shard is away. */
  assertAvailable(): void {
    if (this.#absence) throw new StoreUnavailable('away')
  }

  /** Resolves when the shard answers. Rejects with StoreUnavailable when it does not, and has gone too long ago to be waited for. */
  async reach(): Promise<void> {
    const reached = () => this.ask(store => store.reach())
    try {
      await reached()
    } catch (error) {
      if (!this.#absence) throw error
      await this.#absence.over.promise
      await reached()
    }
  }

  /**
   * The shard's answer. Rejects with StoreUnavailable at once while it is away, and when it does not answer in time or not
   * the truth: then it is away from now on. A refusal, and a full disk, are answers.
   */
  async ask<Answer>(
    question: (store: VectorStore) => Promise<Answer>,
    { isValid = () => true, deadlines = 1 }: AskOptions<Answer> = {},
  ): Promise<Answer> {
    this.assertAvailable()
    try {
      const answer = await inTime(deadlines * LIMITS.shardAnswerMs, () => question(this.#store))
      if (!isValid(answer)) throw new StoreUnavailable('away', { cause: new InvalidShardAnswer() })
      return answer
    } catch (error) {
      if (error instanceof StoreUnavailable && error.why === 'away') this.#leave(error)
      throw error
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#next)
    if (this.#absence) stopWaiting(this.#absence)
    await this.#store.close()
  }

  #leave(cause: unknown): void {
    if (this.#absence || this.#closed) return
    this.#absence = absence(this.#patienceMs)
    this.#news('shard away', this.place, cause)
    if (this.#next) this.#checkLater()
  }

  #return(): void {
    if (!this.#absence || this.#closed) return
    clearTimeout(this.#absence.patience)
    this.#absence.over.resolve()
    this.#absence = undefined
    this.#news('shard back', this.place)
  }

  #checkLater(): void {
    clearTimeout(this.#next)
    const soon = this.#absence?.patience
    if (!this.#closed)
      this.#next = setTimeout(
        () => void this.#check(),
        soon ? LIMITS.shardLookMs : LIMITS.shardCheckMs,
      ).unref()
  }

  async #check(): Promise<void> {
    this.#next = undefined
    const before = this.#absence
    try {
      await inTime(LIMITS.shardAnswerMs, () => this.#store.gallery(HEALTH_GALLERY))
      // What was asked before it left says nothing of its return.
      if (this.#absence === before) this.#return()
    } catch (error) {
      this.#leave(error)
    }
    this.#checkLater()
  }
}

function absence(patienceMs: number): Absence {
  const over = Promise.withResolvers<void>()
  // Nobody may be waiting.
  over.promise.catch(() => {})
  const begun: Absence = { over, patience: setTimeout(() => stopWaiting(begun), patienceMs).unref() }
  return begun
}

function stopWaiting(absence: Absence): void {
  clearTimeout(absence.patience)
  absence.patience = undefined
  absence.over.reject(new StoreUnavailable('away'))
}
