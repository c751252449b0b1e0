import { expect, it } from 'vitest'
import { demographicsOf, type Estimated } from '#core/calibration/demographics.ts'
import { people } from './synthetic.ts'

const SITE = people(1_000, 1, 7)
const estimated = (i: number): Estimated => ({ age: 20 + (i % 50), female: i % 10 === 0 ? 1 : 0 })
const ESTIMATED = SITE.map((_, i) => estimated(i))

it('demographicsOf counts people by gender and age, and marks missing kinds', () => {
  const { kinds } = demographicsOf(SITE, ESTIMATED)
  const named = Object.fromEntries(kinds.map(({ name, ...rest }) => [name, rest]))
  expect(named.women).toEqual({ people: 100, missing: false })
  expect(named.men).toEqual({ people: 900, missing: false })
  expect(named['below 18 years']).toEqual({ people: 0, missing: true })
  expect(kinds.slice(2).reduce((sum, { people }) => sum + people, 0)).toBe(1_000)
})

it('demographicsOf returns the share of people without similar others', () => {
  const strange = Array.from({ length: 20 }, (_, i) => [
    Float32Array.from({ length: 32 }, (_, d) => (d === i ? 1 : 0)),
  ])
  const all = [...SITE.slice(0, 300), ...strange]
  expect(demographicsOf(all, ESTIMATED.slice(0, all.length)).alone).toBeCloseTo(20 / 320, 1)
})
