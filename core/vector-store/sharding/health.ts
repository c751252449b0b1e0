/** Availability of a shard: deadlines, health checks, and waits during a recent outage. */
import { environment, type Timer } from '../../../contract/environment.ts'
import { STORE_LIMITS } from '../../../contract/limits/store.ts'
import { StoreUnavailable, type VectorStore } from '../vector-store.ts'
import { cellsOf, type Place } from './layout.ts'

/** Name of a gallery without an owner. Its lookup is an inexpensive health check. */
const HEALTH_GALLERY = 'health'

/** Called when a shard becomes unavailable or available again. `cause` may contain private data; the logger filters it. */
export type OnShardAvailability = (
  event: 'shard unavailable' | 'shard available',
  shard: Place,
  cause?: unknown,
) => void

/** An outage of a shard. */
interface Outage {
  /** Resolves when the shard is available again; rejects with StoreUnavailable when the wait ends first. */
  readonly recovery: PromiseWithResolvers<void>
  /** Timer that ends the wait; undefined after it has fired. */
  waitTimer: Timer | undefined
}

/** One shard of several, with deadlines and availability checks. */
export class WatchedShard {
  readonly place: Place
  readonly cells: ReadonlySet<number>
  readonly #store: VectorStore
  readonly #onAvailability: OnShardAvailability
  readonly #patienceMs: number
  #outage: Outage | undefined
  /** Timer of the next check; undefined while a check runs. */
  #nextCheck: Timer | undefined
  #closed = false

  /** `patienceMs`: time in milliseconds, from the start of an outage, in which `reach` waits for the shard. */
  constructor(
    store: VectorStore,
    place: Place,
    onAvailability: OnShardAvailability,
    patienceMs: number = STORE_LIMITS.shardWaitMs,
  ) {
    this.place = place
    this.cells = new Set(cellsOf(place.cells))
    this.#store = store
    this.#onAvailability = onAvailability
    this.#patienceMs = patienceMs
    this.#checkLater()
  }

  /** Throws StoreUnavailable while the shard is unavailable. */
  assertAvailable(): void {
    if (this.#outage) throw new StoreUnavailable('away')
  }

  /**
   * Resolves when the shard responds. Waits through a recent outage. Rejects with StoreUnavailable when the shard does
   * not respond in time or its outage is older than `patienceMs`.
   */
  async reach(): Promise<void> {
    const reached = () => this.call(store => store.reach())
    try {
      await reached()
    } catch (error) {
      if (!this.#outage) throw error
      await this.#outage.recovery.promise
      await reached()
    }
  }

  /**
   * Sends a request to the shard. `deadlines`: multiple of STORE_LIMITS.shardAnswerMs, more than 1 for many vectors. Rejects
   * with StoreUnavailable at once during an outage. A late response starts an outage. A refused vector and a full disk
   * do not.
   */
  async call<Response>(request: (store: VectorStore) => Promise<Response>, deadlines = 1): Promise<Response> {
    this.assertAvailable()
    try {
      return await withDeadline(deadlines * STORE_LIMITS.shardAnswerMs, request(this.#store))
    } catch (error) {
      if (error instanceof StoreUnavailable && error.why === 'away') this.#markUnavailable(error)
      throw error
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#nextCheck?.cancel()
    if (this.#outage) stopWaiting(this.#outage)
    await this.#store.close()
  }

  #markUnavailable(cause: unknown) {
    if (this.#outage || this.#closed) return
    this.#outage = startOutage(this.#patienceMs)
    this.#onAvailability('shard unavailable', this.place, cause)
    if (this.#nextCheck) this.#checkLater()
  }

  #markAvailable() {
    if (!this.#outage || this.#closed) return
    this.#outage.waitTimer?.cancel()
    this.#outage.recovery.resolve()
    this.#outage = undefined
    this.#onAvailability('shard available', this.place)
  }

  #checkLater() {
    this.#nextCheck?.cancel()
    const isWaiting = this.#outage?.waitTimer
    if (!this.#closed)
      this.#nextCheck = environment.timer(
        () => void this.#check(),
        isWaiting ? STORE_LIMITS.shardRecheckMs : STORE_LIMITS.shardCheckMs,
        { ref: false },
      )
  }

  async #check() {
    this.#nextCheck = undefined
    const before = this.#outage
    try {
      await withDeadline(STORE_LIMITS.shardAnswerMs, this.#store.gallery(HEALTH_GALLERY))
      // A check from before the outage proves no recovery.
      if (this.#outage === before) this.#markAvailable()
    } catch (error) {
      this.#markUnavailable(error)
    }
    this.#checkLater()
  }
}

function startOutage(patienceMs: number): Outage {
  const recovery = Promise.withResolvers<void>()
  // Prevents an unhandled rejection when no request waits.
  recovery.promise.catch(() => {})
  const outage: Outage = {
    recovery,
    waitTimer: environment.timer(() => stopWaiting(outage), patienceMs, { ref: false }),
  }
  return outage
}

function stopWaiting(outage: Outage) {
  outage.waitTimer?.cancel()
  outage.waitTimer = undefined
  outage.recovery.reject(new StoreUnavailable('away'))
}

/** Grace period after the deadline, in milliseconds. A blocked event loop fires the timer late. During the pause, arrived responses win. */
const LATE_TIMER_MS = 50

/** Waits for a response for at most `ms` milliseconds. Then rejects with StoreUnavailable (`away`). */
async function withDeadline<Response>(ms: number, response: Promise<Response>): Promise<Response> {
  let timer: Timer | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = environment.timer(() => {
      timer = environment.timer(() => reject(new StoreUnavailable('away')), LATE_TIMER_MS)
    }, ms)
  })
  try {
    return await Promise.race([response, timeout])
  } finally {
    timer?.cancel()
  }
}
