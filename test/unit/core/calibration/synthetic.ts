/** Embeddings of synthetic people: with a common direction, groups that look alike, and pictures that differ. */

import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import { times } from '#test/support/times.ts'

/** Dimension of an embedding. */
const LENGTH = 32

/** Weights of the parts: the common mean (more for a blurred picture), the group, the person, the picture. */
const PARTS = { all: 2, blur: 1.5, group: 0.3, person: 1, picture: 0.5 }

/** A seeded generator of normally distributed numbers. */
function normal(seed: number) {
  const uniform = seededRandom(seed)
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
}

const direction = (next: () => number) => times(LENGTH, next)

/** Unit embeddings of `count` people in four groups, with `pictures` each. Another seed gives other people of the same groups. */
export function people(count: number, pictures: number, seed: number): Float32Array[][] {
  const common = normal(1)
  const all = direction(common)
  const groups = [0, 1, 2, 3].map(() => direction(common))
  const own = normal(seed)
  return times(count, i => {
    const person = direction(own)
    return times(pictures, () => {
      const picture = direction(own)
      const shared = PARTS.all + PARTS.blur * Math.abs(own())
      const sum = picture.map(
        (value, d) =>
          shared * all[d]! +
          PARTS.group * groups[i % groups.length]![d]! +
          PARTS.person * person[d]! +
          PARTS.picture * value,
      )
      const scale = 1 / Math.hypot(...sum)
      return Float32Array.from(sum, value => value * scale)
    })
  })
}
