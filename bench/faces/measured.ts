/** What thresholds let through of labelled people. */
import type { Share } from './tables.ts'

export interface Measured {
  /** A pack and its table, or a peer. */
  readonly name: string
  readonly thresholds: {
    name: string
    score: number
    /** Share of the pairs of one person that reach it; null where there are none. */
    same: number | null
  }[]
  /** Whose strangers, and the shares of their pairs that reach each threshold. */
  readonly rows: { who: string; shares: Share[] }[]
}
