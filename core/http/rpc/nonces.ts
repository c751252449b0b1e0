/** Which signed requests were heard already: each is answered once. */
import { LIMITS } from '../../contract/limits.ts'

/** `forgotten`: signed before what is remembered begins, so that nobody can tell. `full`: there is no room to remember it. */
export type NonceState = 'new' | 'repeated' | 'forgotten' | 'full'

/** Requests that were signed within the same span are forgotten together. */
const SPAN_MS = 30_000

/**
 * Remembers the nonces of requests for as long as their times pass for good ones (LIMITS.signatureWindowMs). It never
 * forgets silently: what was signed before its beginning, or before what it dropped, is `forgotten`.
 */
export class Nonces {
  readonly #spans = new Map<number, Fingerprints>()
  readonly #most: number
  #since: number
  #size = 0

  /** `since`: unix milliseconds. What was signed earlier may have been heard by the process before this one. */
  constructor(since: number, most: number = LIMITS.nonces) {
    this.#since = since
    this.#most = most
  }

  /** Whether it can be told if a request that was signed at this time was heard. */
  remembers(time: number): boolean {
    return time >= this.#since
  }

  /** Takes note of a request. Only of those whose signature holds: nobody else may fill the memory. */
  hear(nonce: string, time: number, now: number): NonceState {
    this.#forgetBefore(now - LIMITS.signatureWindowMs)
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
      // The clock may be set back: what is dropped here must not pass for new then.
      this.#since = Math.max(this.#since, end)
    }
  }
}

/** Half of the nonce: of a million, two share theirs once in 36 million times. Never 0. */
const fingerprintOf = (nonce: string): bigint => BigInt(`0x${nonce.slice(0, 16)}`) || 1n

/** A set of numbers other than 0 in 11 to 21 bytes each, where JavaScript's own takes five times that. */
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

/** 2^64 over the golden ratio, odd: multiplied by it, numbers that differ anywhere differ in their upper bits. */
const SPREAD = 0x9e3779b97f4a7c15n

/** Where it is, or where there is room for it. Of some nonces not every bit is random, as of UUIDs. */
function placeOf(slots: BigUint64Array, fingerprint: bigint): number {
  const last = slots.length - 1
  let place = Number(BigInt.asUintN(64, fingerprint * SPREAD) >> 32n) & last
  while (slots[place] !== 0n && slots[place] !== fingerprint) place = (place + 1) & last
  return place
}
