/** Pairs of faces on two photos. */
import type { Box, VerifyAnswer } from '../../clients/typescript/src/index.ts'

type Result = VerifyAnswer['results'][number]

export interface Pair extends Result {
  key: string
  /** Places of the faces among those of their photos, from 0. */
  first: number
  second: number
}

/** Pairs on the page at most: two group photos have thousands. */
const MOST_SHOWN = 60

const keyOf = ({ x1, y1, x2, y2 }: Box): string => [x1, y1, x2, y2].join()

/** The faces of one photo, each once, in the order of the answer. */
export const facesOf = (results: readonly Result[], side: 'bbox1' | 'bbox2'): Box[] => [
  ...new Map(results.map(result => [keyOf(result[side]), result[side]])).values(),
]

/** The pairs with the highest confidences, in descending order. */
export function bestPairs(results: readonly Result[]): Pair[] {
  const places = (side: 'bbox1' | 'bbox2') => new Map(facesOf(results, side).map((box, i) => [keyOf(box), i]))
  const [first, second] = [places('bbox1'), places('bbox2')]
  return results
    .map(result => {
      const [key1, key2] = [keyOf(result.bbox1), keyOf(result.bbox2)]
      return { ...result, key: `${key1} ${key2}`, first: first.get(key1)!, second: second.get(key2)! }
    })
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, MOST_SHOWN)
}
