/** Holds the newest item of a source that is faster than its reader. Older ones are dropped, never queued. */

export interface Newest<Item> {
  put(item: Item): void
  /** Takes the item if there is one. */
  take(): Item | undefined
  /** Resolves when there is an item. False after `end`. */
  wait(): Promise<boolean>
  end(): void
  /** Items that were replaced before a reader took them. */
  dropped(): number
}

export function newest<Item>(): Newest<Item> {
  let item: Item | undefined
  let isEnded = false
  let dropped = 0
  let wake: (() => void) | undefined
  return {
    put(next) {
      if (isEnded) return
      if (item !== undefined) dropped++
      item = next
      wake?.()
    },
    take() {
      const taken = item
      item = undefined
      return taken
    },
    async wait() {
      if (item === undefined && !isEnded) await new Promise<void>(resolve => (wake = resolve))
      wake = undefined
      return !isEnded
    },
    end() {
      isEnded = true
      item = undefined
      wake?.()
    },
    dropped: () => dropped,
  }
}
