/** Divides a bounded number of slots among owners. */

/** Releases a slot. */
export type Release = () => void

export interface Shares {
  /** Takes a slot for this owner; undefined when none is left for them. */
  take(owner: string): Release | undefined
}

/**
 * An owner may hold as many slots as are free, and no more. A lone owner gets half of the slots. When `n` owners take
 * as many as they can, each holds `total / (n + 1)`, and as many are left for the next owner.
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
