/** Who a site's people are: by age and gender as estimated, and by how many others look like them; and who is missing. */
import { dot } from '../vector-store/unit-vector.ts'
import { type Person, spread } from './people.ts'

/** What a person's pictures were taken for. */
export interface Estimated {
  /** In years. */
  readonly age: number
  /** 0..1: the share of pictures that were taken for a woman's. */
  readonly female: number
}

/** Some of the people, whom thresholds may treat otherwise than the rest. */
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

/** A kind is missing where it has fewer people than this part of all, or than this number. */
const LEAST_SHARE = 0.05
const LEAST_PEOPLE = 50

/** Somebody has no like where the mean cosine with the nearest of the others is this far below the median, in deviations. */
const LIKES = 20
const ALONE = 2

/** People whose nearest others are looked for. */
const SAMPLE = 2_000

export interface MakeUp {
  readonly kinds: { name: string; people: number; missing: boolean }[]
  /** Part of the people who look like hardly any other, 0..1. */
  readonly alone: number
}

/** `estimated` are of the same people, in their order. */
export function makeUpOf(people: readonly Person[], estimated: readonly Estimated[]): MakeUp {
  const kinds = KINDS.map(({ name, has }) => {
    const count = estimated.filter(has).length
    return { name, people: count, missing: count < Math.max(LEAST_PEOPLE, LEAST_SHARE * people.length) }
  })
  return { kinds, alone: shareAlone(spread(people, SAMPLE).map(person => person[0]!)) }
}

function shareAlone(units: readonly Float32Array[]): number {
  if (units.length <= LIKES) return 0
  const likes = units.map((unit, i) => {
    const cosines = Float32Array.from(units, (other, j) => (j === i ? -1 : dot(unit, other, 0))).sort()
    return cosines.subarray(-LIKES).reduce((sum, cosine) => sum + cosine, 0) / LIKES
  })
  const median = likes.toSorted((a, b) => a - b)[likes.length >> 1]!
  const deviation = Math.sqrt(likes.reduce((sum, like) => sum + (like - median) ** 2, 0) / likes.length)
  return likes.filter(like => like < median - ALONE * deviation).length / likes.length
}
