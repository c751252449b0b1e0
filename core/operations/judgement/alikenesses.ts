/** Keeps in memory how alike the people of galleries are. */
import type { Alikeness } from './threshold.ts'

/** An alikeness, and the faces of the gallery when it was measured. */
export type Measured = Alikeness & { faces: number }

/** A measurement that is kept in memory. */
export interface Kept {
  measured: Promise<Measured>
  faces: number
  /** Who the faces show, of a gallery of up to judgement.ts's EXACT_FACES. */
  labels: string
  /** environment.monotonic() */
  since: number
}

/** Galleries whose measurement is kept in memory. */
const KEPT = 1_000

/** Measurements of galleries by their keys. The oldest one leaves first. */
export class Alikenesses extends Map<string, Kept> {
  override set(key: string, kept: Kept): this {
    this.delete(key)
    if (this.size >= KEPT) this.delete(this.keys().next().value!)
    return super.set(key, kept)
  }
}
