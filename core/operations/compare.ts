/** Comparison: how sure it is that faces of one photo and faces of another are of one person. */
import type { Answer } from '../contract/rpc/operations.ts'
import { dot, unitVector } from '../vector-store/unit-vector.ts'
import type { Services } from './services.ts'

/** `confidences[i][j]` is of `first[i]` and `second[j]`. Scores are computed just as a search does. */
export async function compare(
  services: Pick<Services, 'embed' | 'scale'>,
  first: readonly Uint8Array[],
  second: readonly Uint8Array[],
): Promise<Answer<'compare'>> {
  const embeddings = await services.embed([...first, ...second])
  const units = embeddings.map(unitVector)
  const others = [...units.entries()].slice(first.length)
  return {
    confidences: first.map((_, i) => {
      const { score, confidence } = services.scale.with(embeddings[i]!)
      return others.map(([j, other]) => confidence(score(dot(units[i]!, other, 0), embeddings[j])))
    }),
  }
}
