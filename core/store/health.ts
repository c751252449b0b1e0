/** Health: a shard is asked with a deadline, not believed everything, and left alone while it is away. */
import { LIMITS } from '../contract/limits.ts'
import { cellsOf } from './cells.ts'
import { inTime } from './deadline.ts'
import type { Place } from './layout.ts'
import { StoreAway, type VectorStore } from './store.ts'

/** A gallery of no owner: looking for it is a light question. */
export const NOBODYS = 'health'

/** Told when a shard is away, and when it is back. The cause is for a log that knows what of it may be said. */
export type ShardNews = (event: 'shard away' | 'shard back', shard: Place, cause?: unknown) => void

/** A shard said what can't be true. */
export class UntrueAnswer extends Error {
  override readonly name = 'UntrueAnswer'
}

export interface Asking<Answer> {
  /** Whether the answer can be true; anything can when absent. */
  honest?: (answer: Answer) => boolean
  /** Deadlines that the question is worth: more than one when it is about many vectors. */
  deadlines?: number
}

/** One shard of several, and whether it is at hand. */
export class WatchedShard {
  readonly place: Place
  readonly cells: ReadonlySet<number>
  readonly #store: VectorStore
  readonly #news: ShardNews
  #away = false
  #next: NodeJS.Timeout | undefined
  #closed = false

  constructor(store: VectorStore, place: Place, news: ShardNews) {
    this.place = place
    this.cells = new Set(cellsOf(place.cells))
    this.#store = store
    this.#news = news
    this.#checkLater()
  }

  /** Throws StoreAway while the shard is away. */
  demand(): void {
    if (this.#away) throw new StoreAway('away')
  }

  /**
   * The shard's answer. Rejects with StoreAway at once while it is away, and when it does not answer in time or not
   * the truth: then it is away from now on. A refusal, and a full disk, are answers.
   */
  async ask<Answer>(
    question: (store: VectorStore) => Promise<Answer>,
    { honest = () => true, deadlines = 1 }: Asking<Answer> = {},
  ): Promise<Answer> {
    this.demand()
    try {
      const answer = await inTime(deadlines * LIMITS.shardAnswerMs, () => question(this.#store))
      if (!honest(answer)) throw new StoreAway('away', { cause: new UntrueAnswer() })
      return answer
    } catch (error) {
      if (error instanceof StoreAway && error.why === 'away') this.#leave(error)
      throw error
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#next)
    await this.#store.close()
  }

  #leave(cause: unknown): void {
    if (this.#away || this.#closed) return
    this.#away = true
    this.#news('shard away', this.place, cause)
  }

  #checkLater(): void {
    if (!this.#closed) this.#next = setTimeout(() => void this.#check(), LIMITS.shardCheckMs).unref()
  }

  async #check(): Promise<void> {
    try {
      await inTime(LIMITS.shardAnswerMs, () => this.#store.gallery(NOBODYS))
      if (this.#away && !this.#closed) {
        this.#away = false
        this.#news('shard back', this.place)
      }
    } catch (error) {
      this.#leave(error)
    }
    this.#checkLater()
  }
}
