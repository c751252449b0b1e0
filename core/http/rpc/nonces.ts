/** Replay protection: the nonces of signed requests. */
import { RPC_LIMITS } from '../../../contract/limits/rpc.ts'

/** `forgotten`: signed before the remembered period, therefore possibly a replay. `full`: no memory for another nonce. */
export type NonceState = 'new' | 'repeated' | 'forgotten' | 'full'

/** Nonces of one span of signing times are dropped together. */
const SPAN_MS = 30_000

/**
 * Remembers nonces while the signing times of their requests are accepted (RPC_LIMITS.signatureWindowMs). Requests signed before
 * the remembered period are `forgotten`, never `new`.
 */
export class Nonces {
  readonly #spans = new Map<number, Fingerprints>()
  readonly #most: number
  #since: number
  #size = 0

  /** `since`: Unix milliseconds. A previous process may have accepted requests that were signed earlier. */
  constructor(since: number, most: number = RPC_LIMITS.nonces) {
    this.#since = since
    this.#most = most
  }

  /** Whether replays of requests signed at `time` are detected. */
  remembers(time: number): boolean {
    return time >= this.#since
  }

  /** Remembers the nonce of a request. Call it after verification of the signature only: others must not fill the memory. */
  remember(nonce: string, time: number, now: number): NonceState {
    this.#forgetBefore(now - RPC_LIMITS.signatureWindowMs)
    if (!this.remembers(time)) return 'forgotten'
    const span = Math.floor(time / SPAN_MS)
    const heard = this.#spans.get(span) ?? new Fingerprints()
    const fingerprint = fingerprintOf(nonce)
    if (heard.has(fingerprint)) return 'repeated'
    if (this.#size >= this.#most) return 'full'
    heard.add(fingerprint)
    this.#spans.set(span, heard)
    this.#size++
    return 'new'
  }

  #forgetBefore(time: number): void {
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

/** 64 of the 128 bits of a nonce. A set of a million has a collision with a probability of 1 in 36 million. Never 0. */
const fingerprintOf = (nonce: string): bigint => BigInt(`0x${nonce.slice(0, 16)}`) || 1n

/** Set of 64-bit numbers other than 0, 11 to 21 bytes each. A JavaScript `Set` takes five times as much. */
class Fingerprints {
  size = 0
  #slots = new BigUint64Array(1_024)

  has(fingerprint: bigint): boolean {
    return this.#slots[placeOf(this.#slots, fingerprint)] === fingerprint
  }

  add(fingerprint: bigint): void {
    if (this.size >= this.#slots.length * 0.75) this.#grow()
    this.#slots[placeOf(this.#slots, fingerprint)] = fingerprint
    this.size++
  }

  #grow(): void {
    const larger = new BigUint64Array(this.#slots.length * 2)
    for (const fingerprint of this.#slots) {
      if (fingerprint !== 0n) larger[placeOf(larger, fingerprint)] = fingerprint
    }
    this.#slots = larger
  }
}

/** 2^64 divided by the golden ratio, odd (Fibonacci hashing): the upper bits of a product depend on all bits. */
const SPREAD = 0x9e3779b97f4a7c15n

/** Slot of the fingerprint, or the free slot for it. Hashing is needed because some nonces, like UUIDs, have constant bits. */
function placeOf(slots: BigUint64Array, fingerprint: bigint): number {
  const last = slots.length - 1
  let place = Number(BigInt.asUintN(64, fingerprint * SPREAD) >> 32n) & last
  while (slots[place] !== 0n && slots[place] !== fingerprint) place = (place + 1) & last
  return place
}
