/** A bounded number of places, divided among owners. */

/** Gives a place back. */
export type Release = () => void

export interface Shares {
  /** A place for this owner; undefined when none is left for them. */
  take(owner: string): Release | undefined
}

/**
 * An owner may hold as many places as are free, and no more. A lone owner gets half of them. `n` owners that take all they
 * can hold `total / (n + 1)` each, and leave as many for the next owner.
 */
export function shares(total: number): Shares {
  const held = new Map<string, number>()
  let free = total
  return {
    take(owner) {
      const own = held.get(owner) ?? 0
      if (own >= free) return undefined
      held.set(owner, own + 1)
      free--
      return () => {
        free++
        const left = held.get(owner)! - 1
        if (left === 0) held.delete(owner)
        else held.set(owner, left)
      }
    },
  }
}
