/** Measures the gain of a site calibration on people who are not part of it. */
import { PACK_LIMITS } from '../../contract/limits/packs.ts'
import type { Calibration } from '../../models/calibrations.ts'
import { dot } from '../vector-store/unit-vector.ts'
import { type Estimated, KINDS, type Kind } from './demographics.ts'
import { type MadeCalibration, makeCalibration } from './make.ts'
import { halves, mergeAlike, type Person, pairScores } from './people.ts'
import { meanRates, type Rates, ratesOf } from './rates.ts'
import { calibrated } from './scale.ts'

/** Rates by the pack's own table, and by a calibration of other people: means over both halves. */
interface BeforeAfter {
  pack: Rates
  site: Rates
}

export interface Gain extends BeforeAfter {
  /** Rates among people of one kind, for each kind with enough pairs. */
  kinds: (BeforeAfter & { name: string })[]
}

/**
 * Calibrates with one half of the people and compares the other half, then swaps the halves. `estimated` belongs to
 * `people` by index. Undefined when a half is too small for a calibration.
 */
export function gainOf(
  people: readonly Person[],
  pack: Calibration,
  estimated: readonly Estimated[] = [],
): Gain | undefined {
  const [first, second] = halves(people)
  if ([first, second].some(half => mergeAlike(half).length < PACK_LIMITS.calibrationPeople)) return undefined
  const [ofFirst, ofSecond] = halves(estimated)
  const made = [makeCalibration(first), makeCalibration(second)] as const
  const gain = (has: Kind['has'] | undefined): BeforeAfter => {
    const those = (half: readonly Person[], own: readonly Estimated[]) =>
      has ? half.filter((_, i) => own[i] && has(own[i])) : half
    const one = gainOn(those(second, ofSecond), made[0], pack)
    const other = gainOn(those(first, ofFirst), made[1], pack)
    return { pack: meanRates(one.pack, other.pack), site: meanRates(one.site, other.site) }
  }
  const kinds = estimated.length === 0 ? [] : KINDS
  return {
    ...gain(undefined),
    kinds: kinds
      .map(({ name, has }) => ({ name, ...gain(has) }))
      .filter(({ pack }) => pack.strangers >= LEAST_STRANGERS),
  }
}

/** Least number of pairs of strangers for which the rates of a kind are reported. */
const LEAST_STRANGERS = 1_000

function gainOn(held: readonly Person[], { table }: MadeCalibration, pack: Calibration): BeforeAfter {
  const scores = pairScores(held, (a, b) => dot(a, b, 0))
  return {
    pack: ratesOf(scores, calibrated(pack)),
    site: ratesOf(scores, calibrated(table)),
  }
}
