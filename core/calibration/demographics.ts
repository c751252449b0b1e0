/**
 * Describes the people of a site: estimated age and gender, underrepresented kinds, and share of people without similar
 * others.
 */
import { dot } from '../vector-store/unit-vector.ts'
import { type Person, spread } from './people.ts'

/** Estimated attributes of a person, over their pictures. */
export interface Estimated {
  /** In years. */
  readonly age: number
  /** Share of the pictures that are estimated as female, 0..1. */
  readonly female: number
}

/** A group of people for which thresholds may work differently. */
export interface Kind {
  readonly name: string
  has(estimated: Estimated): boolean
}

export const KINDS: readonly Kind[] = [
  { name: 'women', has: ({ female }) => female > 0.5 },
  { name: 'men', has: ({ female }) => female <= 0.5 },
  { name: 'below 18 years', has: ({ age }) => age < 18 },
  { name: '18 to 29', has: ({ age }) => age >= 18 && age < 30 },
  { name: '30 to 44', has: ({ age }) => age >= 30 && age < 45 },
  { name: '45 to 59', has: ({ age }) => age >= 45 && age < 60 },
  { name: 'from 60', has: ({ age }) => age >= 60 },
]

/** A kind counts as missing below this share of all people, or below this number. */
const LEAST_SHARE = 0.05
const LEAST_PEOPLE = 50

/** A person is alone when the mean cosine with their nearest others lies this many deviations below the median person's. */
const NEIGHBOURS = 20
const ALONE_DEVIATIONS = 2

/** Number of people whose nearest others are searched. */
const SAMPLE = 2_000

export interface Demographics {
  readonly kinds: { name: string; people: number; missing: boolean }[]
  /** Share of people without similar others, 0..1. */
  readonly alone: number
}

/** Describes the people. `estimated` belongs to `people` by index. */
export function demographicsOf(people: readonly Person[], estimated: readonly Estimated[]): Demographics {
  const kinds = KINDS.map(({ name, has }) => {
    const count = estimated.filter(has).length
    return { name, people: count, missing: count < Math.max(LEAST_PEOPLE, LEAST_SHARE * people.length) }
  })
  return { kinds, alone: shareAlone(spread(people, SAMPLE).map(person => person[0]!)) }
}

function shareAlone(units: readonly Float32Array[]): number {
  if (units.length <= NEIGHBOURS) return 0
  const meanCosines = units.map((unit, i) => {
    const cosines = Float32Array.from(units, (other, j) => (j === i ? -1 : dot(unit, other, 0))).sort()
    return cosines.subarray(-NEIGHBOURS).reduce((sum, cosine) => sum + cosine, 0) / NEIGHBOURS
  })
  const median = meanCosines.toSorted((a, b) => a - b)[meanCosines.length >> 1]!
  const deviation = Math.sqrt(
    meanCosines.reduce((sum, meanCosine) => sum + (meanCosine - median) ** 2, 0) / meanCosines.length,
  )
  return (
    meanCosines.filter(meanCosine => meanCosine < median - ALONE_DEVIATIONS * deviation).length /
    meanCosines.length
  )
}
