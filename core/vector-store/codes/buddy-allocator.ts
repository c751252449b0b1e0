/** Buddy allocator of a growing memory: free blocks of powers of two, split in halves and merged again. */

/** Sizes of the smallest and the largest block in bytes, as powers of two. The memory grows by the largest. */
export const SMALLEST_ORDER = 9
export const GREATEST_ORDER = 24

const NONE = -1

/**
 * Free blocks by order, the power of two of their size. Each order is a doubly linked list over arrays. Addresses are
 * in bytes, multiples of the block's size; the arrays are indexed by address in units of the smallest block.
 */
export class BuddyAllocator {
  readonly #heads = new Int32Array(GREATEST_ORDER + 1).fill(NONE)
  /** For each smallest block: the order of the free block that starts there, or 0. */
  #orders = new Uint8Array(0)
  #next = new Int32Array(0)
  #previous = new Int32Array(0)

  /** Adds a free block of the largest order at this address. */
  grow(address: number): void {
    const needed = (address + 2 ** GREATEST_ORDER) / 2 ** SMALLEST_ORDER
    if (needed > this.#orders.length) {
      const length = Math.max(needed, 2 * this.#orders.length)
      this.#orders = moved(this.#orders, new Uint8Array(length))
      this.#next = moved(this.#next, new Int32Array(length))
      this.#previous = moved(this.#previous, new Int32Array(length))
    }
    this.#push(address / 2 ** SMALLEST_ORDER, GREATEST_ORDER)
  }

  /** Takes a block; returns its address, or undefined when no block is free. */
  take(order: number): number | undefined {
    let found = order
    while (found <= GREATEST_ORDER && this.#heads[found] === NONE) found++
    if (found > GREATEST_ORDER) return undefined
    const place = this.#heads[found]!
    this.#unlink(place)
    while (found > order) {
      found--
      this.#push(place + places(found), found)
    }
    return place * 2 ** SMALLEST_ORDER
  }

  /** Returns a block, and merges it with its free buddies. */
  give(address: number, order: number): void {
    let place = address / 2 ** SMALLEST_ORDER
    let joined = order
    for (; joined < GREATEST_ORDER; joined++) {
      const buddy = place ^ places(joined)
      if (this.#orders[buddy] !== joined) break
      this.#unlink(buddy)
      place = Math.min(place, buddy)
    }
    this.#push(place, joined)
  }

  #push(place: number, order: number): void {
    const head = this.#heads[order]!
    this.#orders[place] = order
    this.#next[place] = head
    this.#previous[place] = NONE
    if (head !== NONE) this.#previous[head] = place
    this.#heads[order] = place
  }

  #unlink(place: number): void {
    const [next, previous] = [this.#next[place]!, this.#previous[place]!]
    if (previous === NONE) this.#heads[this.#orders[place]!] = next
    else this.#next[previous] = next
    if (next !== NONE) this.#previous[next] = previous
    this.#orders[place] = 0
  }
}

const places = (order: number): number => 2 ** (order - SMALLEST_ORDER)

function moved<T extends Uint8Array | Int32Array>(values: T, target: T): T {
  target.set(values)
  return target
}
