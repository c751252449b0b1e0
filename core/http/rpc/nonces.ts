/** Replay protection: the nonces of signed requests. */
import { RPC_LIMITS } from '../../../contract/limits/rpc.ts'

/** `forgotten`: signed before the remembered period, therefore possibly a replay. `full`: no memory for another nonce. */
type NonceState = 'new' | 'repeated' | 'forgotten' | 'full'

/** Nonces of one span of signing times are dropped together. */
const SPAN_MS = 30_000

/**
 * Remembers nonces while the signing times of their requests are accepted (RPC_LIMITS.signatureWindowMs). Requests signed before
 * the remembered period are `forgotten`, never `new`. A clock that is set back further than the window begins a new period, as a
 * restart does: core would otherwise refuse all requests until the earlier time.
 */
export class Nonces {
  readonly #spans = new Map<number, Set<number>>()
  readonly #most: number
  #since: number
  /** The latest time of the period. */
  #latest: number
  #size = 0

  /** `since`: Unix milliseconds. A previous process may have accepted requests that were signed earlier. */
  constructor(since: number, most: number = RPC_LIMITS.nonces) {
    this.#since = since
    this.#latest = since
    this.#most = most
  }

  /** Whether replays of requests signed at `time` are detected. */
  remembers(time: number, now: number): boolean {
    this.#follow(now)
    return time >= this.#since
  }

  /** Begins a new period when the clock was set back. */
  #follow(now: number) {
    const isSetBack = now < this.#latest - RPC_LIMITS.signatureWindowMs
    if (isSetBack) this.#since = now
    this.#latest = isSetBack ? now : Math.max(this.#latest, now)
  }

  /** Remembers the nonce of a request. Call it after verification of the signature only: others must not fill the memory. */
  remember(nonce: string, time: number, now: number): NonceState {
    this.#forgetBefore(now - RPC_LIMITS.signatureWindowMs)
    if (!this.remembers(time, now)) return 'forgotten'
    const span = Math.floor(time / SPAN_MS)
    const heard = this.#spans.get(span) ?? new Set<number>()
    const fingerprint = fingerprintOf(nonce)
    if (heard.has(fingerprint)) return 'repeated'
    if (this.#size >= this.#most) return 'full'
    heard.add(fingerprint)
    this.#spans.set(span, heard)
    this.#size++
    return 'new'
  }

  #forgetBefore(time: number) {
    for (const [span, { size }] of this.#spans) {
      const end = (span + 1) * SPAN_MS
      if (end > time) continue
      this.#spans.delete(span)
      this.#size -= size
      // The clock can be set back. Dropped nonces must not become `new` then.
      this.#since = Math.max(this.#since, end)
    }
  }
}

/** 52 of the 128 bits of a nonce. A new nonce equals one of a million with a probability of 1 in 4,500 million. */
const fingerprintOf = (nonce: string) => Number.parseInt(nonce.slice(0, 13), 16)
