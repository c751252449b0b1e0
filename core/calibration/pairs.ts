/** Every two pictures compared: the scores of strangers, and those of one person. */

export interface PairScores {
  /** Rising. */
  readonly strangers: Float32Array
  /** Rising; empty where nobody has two pictures. */
  readonly same: Float32Array
}

/** `people` are the pictures of each; `score` is asked for every two pictures once. */
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
