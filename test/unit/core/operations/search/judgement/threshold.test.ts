/** Thresholds for a promised share of false alarms, from how alike the people of a gallery are. */
import fc from 'fast-check'
import {
  type Alikeness,
  assumedOf,
  deviationsAt,
  scoreAtFpir,
} from '#core/operations/search/judgement/threshold.ts'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'

const ASSUMED = assumedOf({ low: 0.175, medium: 0.435 })
const UNMEASURED = { people: 1, pairs: 0, mean: 0, deviation: 0, hundredth: 0, thousandth: 0 }

/** A gallery of this size whose pairs have these scores. Its tail is longer than the normal one by this factor. */
const galleryOf = (people: number, mean = 0.02, deviation = 0.12, tail = 1): Alikeness => ({
  people,
  pairs: (people * (people - 1)) / 2,
  mean,
  deviation,
  hundredth: tail * deviationsAt(1e-2),
  thousandth: tail * deviationsAt(1e-3),
})

const random = seededRandom(3)
/** A sample of a normal distribution (Box-Muller). */
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

it('deviationsAt knows the normal distribution, and ends at a rate of 1e-12', () => {
  const samples = Float64Array.from({ length: 400_000 }, normal).sort()
  for (const rate of [0.1, 0.03, 0.01, 1e-3])
    expect(deviationsAt(rate)).toBeCloseTo(samples.at(-Math.round(rate * samples.length)), 1)
  expect(deviationsAt(1e-12)).toBe(deviationsAt(1e-15))
})

describe('scoreAtFpir', () => {
  it.each([150, 300, 1_500])('is reached by the promised share of strangers with %d people', people => {
    const gallery = galleryOf(people)
    const strangers = 4_000
    let alarms = 0
    const threshold = scoreAtFpir(gallery, ASSUMED, 0.05)
    for (let i = 0; i < strangers; i++) {
      let best = -1
      for (let j = 0; j < people; j++) best = Math.max(best, gallery.mean + gallery.deviation * normal())
      alarms += Number(best >= threshold)
    }
    expect(alarms / strangers / 0.05).toBeGreaterThan(0.3)
    expect(alarms / strangers / 0.05).toBeLessThan(1.3)
  })

  it('takes the calibration of the pack for one person, as if both were of one group', () => {
    expect(scoreAtFpir(UNMEASURED, ASSUMED, 0.1)).toBeGreaterThan(0.175)
    expect(scoreAtFpir(UNMEASURED, ASSUMED, 1e-3)).toBeGreaterThan(0.435)
    expect(scoreAtFpir(UNMEASURED, ASSUMED, 1e-3)).toBeLessThan(0.6)
  })

  it('rises with the likeness of the people, their number, and a smaller share', () => {
    const at = (gallery: Alikeness, fpir = 0.01) => scoreAtFpir(gallery, ASSUMED, fpir)
    expect(at(galleryOf(50, 0.12, 0.13))).toBeGreaterThan(at(galleryOf(50)) + 0.05)
    expect(at(galleryOf(500))).toBeGreaterThan(at(galleryOf(50)))
    expect(at(galleryOf(300, 0.02, 0.12, 1.15))).toBeGreaterThan(at(galleryOf(300)))
    expect(at(galleryOf(50), 0.001)).toBeGreaterThan(at(galleryOf(50)))
  })

  it('does not jump when a person is added', () => {
    const share = fc.constantFrom(1, 0.1, 0.01, 0.003, 0.001, 1e-6, 0)
    const mean = fc.double({ min: -0.05, max: 0.2, noNaN: true })
    const deviation = fc.double({ min: 0.08, max: 0.16, noNaN: true })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), share, mean, deviation, (people, fpir, ...one) => {
        const [before, after] = [people, people + 1].map(count =>
          scoreAtFpir(galleryOf(count, ...one, 1.08), ASSUMED, fpir),
        )
        expect(Math.abs(after! - before!)).toBeLessThan(people < 20 ? 0.06 : 0.01)
      }),
    )
  })
})
