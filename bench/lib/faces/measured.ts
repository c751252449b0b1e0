/** Types of match rates of labelled people. */
import type { Share } from '../measures/tables.ts'

export interface Measured {
  /** A pack and its table, or a peer. */
  readonly name: string
  readonly thresholds: {
    name: string
    score: number
    /** Share of genuine pairs that reach the threshold; null without such pairs. */
    same: number | null
  }[]
  /** A group of impostors, and the share of its pairs that reaches each threshold. */
  readonly rows: { who: string; shares: Share[] }[]
}
