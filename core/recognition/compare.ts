/** Comparison: how sure it is that faces of one photo and faces of another are of one person. */
import type { Answer } from '../contract/wire.ts'
import { dot, unitVector } from '../store/unit-vector.ts'
import type { Parts } from './parts.ts'

/** `confidences[i][j]` is of `first[i]` and `second[j]`. Scores are computed just as a search does. */
export async function compare(
  parts: Pick<Parts, 'embed' | 'scale'>,
  first: readonly Uint8Array[],
  second: readonly Uint8Array[],
): Promise<Answer<'compare'>> {
  const units = (await parts.embed([...first, ...second])).map(unitVector)
  const others = units.slice(first.length)
  return {
    confidences: units.slice(0, first.length).map(unit => {
      const { score, confidence } = parts.scale.with(unit)
      return others.map(other => confidence(score(dot(unit, other, 0), other)))
    }),
  }
}
