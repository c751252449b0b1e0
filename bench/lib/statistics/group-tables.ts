/**
 * Computes the two calibration tables of a pack from a population balanced over genders and groups, and their error
 * rates.
 */
import { THRESHOLDS } from '#contract/model/face.ts'
import { calibrationCurve } from '#core/calibration/scale.ts'
import type { Calibration, Calibrations, Measured, Reached } from '#models/calibrations.ts'
import { fixed } from '../../statistics.ts'
import type { Member } from '../faces/read-faces.ts'
import { samePersonCosine } from './pair-scores.ts'
import { comparedStrangers, type StrangerPairs } from './strangers.ts'
import { type MadeTable, type Share, scoreFor, sharesAt, tableOf } from './tables.ts'

export interface GroupTables {
  calibrations: Calibrations
  /** Number of compared impostor pairs, and of pairs left out because they may show one person. */
  pairs: number
  leftOut: number
  /** Cosine from which pairs are left out. */
  bar: number
  scores: { default: MadeTable['scores']; alike: MadeTable['scores'] }
}

/** Computes the tables. `same` are cosines of two pictures of one person, for the true match rates. */
export function groupTables(members: readonly Member[], same: Float32Array): GroupTables {
  const bar = samePersonCosine(members.map(({ unit }) => unit))
  const pairs = comparedStrangers(members, bar)
  const made = { default: tableOf(pairs, 'any', bar), alike: tableOf(pairs, 'alike', bar) }
  return {
    calibrations: {
      default: made.default.table,
      alike: made.alike.table,
      measured: {
        default: measuredBy(made.default.table, { pairs, bar }, same),
        alike: measuredBy(made.alike.table, { pairs, bar }, same),
      },
    },
    pairs: pairs.scores.length,
    leftOut: (members.length * (members.length - 1)) / 2 - pairs.scores.length,
    bar: fixed(bar, 4),
    scores: { default: made.default.scores, alike: made.alike.scores },
  }
}

/** Error rates of a table at each named threshold. */
function measuredBy(
  table: Calibration,
  { pairs, bar }: { pairs: StrangerPairs; bar: number },
  same: Float32Array,
): Measured {
  const scores = THRESHOLD_NAMES.map(name => scoreOf(table, name))
  const any = sharesAt(pairs, 'any', bar, scores, 0)
  const alike = sharesAt(pairs, 'alike', bar, scores, 0)
  const groups = sharesByGroup(pairs, bar, scores, 0)
  const confidence = calibrationCurve(table)
  const reached = THRESHOLD_NAMES.map((_, i): Reached => {
    const worst = groups.reduce((most, one) => (one.shares[i]!.share > most.shares[i]!.share ? one : most))
    const { share } = worst.shares[i]!
    const half = scoreFor(pairs, pairs.groups.indexOf(worst.group), bar, share / 2)
    const threshold = Math.ceil(100 * confidence(half)) / 100
    return {
      strangers: rounded(any[i]!.share),
      alike: rounded(alike[i]!.share),
      worst: {
        group: worst.group,
        share: rounded(share),
        halved: { threshold, same: rounded(shareOf(same, one => confidence(one) >= threshold)) },
      },
      same: rounded(shareOf(same, one => one >= scores[i]!)),
    }
  })
  return { low: reached[0]!, medium: reached[1]!, strict: reached[2]! }
}

export const THRESHOLD_NAMES = ['low', 'medium', 'strict'] as const

/** The score at which a table reaches a named threshold. */
export const scoreOf = (table: Calibration, name: (typeof THRESHOLD_NAMES)[number]): number =>
  table.find(([, confidence]) => confidence === THRESHOLDS[name])![0]

/** Shares of the impostor pairs within each group that reach each of these scores. */
export const sharesByGroup = (
  pairs: StrangerPairs,
  bar: number,
  scores: readonly number[],
  draws?: number,
): { group: string; shares: Share[] }[] =>
  pairs.groups.map((group, place) => ({ group, shares: sharesAt(pairs, place, bar, scores, draws) }))

/** Share of these scores, 0..1; NaN of none. */
export const shareOf = (all: Float32Array, is: (one: number) => boolean): number =>
  all.filter(is).length / all.length

/** Rounds to three significant digits. */
const rounded = (share: number) => Number(share.toPrecision(3))
