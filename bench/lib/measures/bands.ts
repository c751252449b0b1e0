/** Groups people by estimated age and gender, to compare thresholds between groups. */
import { type PairScores, pairScores } from '#core/calibration/people.ts'
import { dot } from '#core/vector-store/unit-vector.ts'
import type { Person } from '../faces/people.ts'

export interface Band {
  name: string
  has(person: Person): boolean
}

export const EVERYBODY: Band = { name: 'all', has: () => true }

/** Bands of estimated values: the pictures have no age labels. */
export const BANDS: readonly Band[] = [
  { name: 'women', has: ({ female }) => female > 0.5 },
  { name: 'men', has: ({ female }) => female < 0.5 },
  { name: 'below 30', has: ({ age }) => age < 30 },
  { name: '30 to 44', has: ({ age }) => age >= 30 && age < 45 },
  { name: '45 to 59', has: ({ age }) => age >= 45 && age < 60 },
  { name: 'from 60', has: ({ age }) => age >= 60 },
]

/** Cosines of all pictures of these people. Both people of an impostor pair belong to the band. */
export const cosinesOf = (people: readonly Person[]): PairScores =>
  pairScores(
    people.map(({ pictures }) => pictures),
    (a, b) => dot(a, b, 0),
  )
