/** Compares every two pictures: scores of strangers, and scores of one person. */

export interface PairScores {
  /** Ascending. */
  readonly strangers: Float32Array
  /** Ascending; empty when no person has two pictures. */
  readonly same: Float32Array
}

/** Scores all pairs. `people` holds the pictures of each person; `score` is called once per pair. */
export function pairScores<Picture>(
  people: readonly (readonly Picture[])[],
  score: (a: Picture, b: Picture) => number,
): PairScores {
  const pictures = people.flatMap((person, number) => person.map(picture => ({ number, picture })))
  const ofOne = people.reduce((sum, { length }) => sum + pairsOf(length), 0)
  const strangers = new Float32Array(pairsOf(pictures.length) - ofOne)
  const same = new Float32Array(ofOne)
  let [differing, equal] = [0, 0]
  for (const [i, a] of pictures.entries()) {
    for (let j = 0; j < i; j++) {
      const b = pictures[j]!
      const own = score(a.picture, b.picture)
      if (a.number === b.number) same[equal++] = own
      else strangers[differing++] = own
    }
  }
  return { strangers: strangers.sort(), same: same.sort() }
}

const pairsOf = (count: number): number => (count * (count - 1)) / 2
