/** Verification (1:1): confidences that faces of two photos belong to one person. */
import type { RpcResponse } from '../../contract/rpc/operations.ts'
import { dot, unitVector } from '../vector-store/unit-vector.ts'
import type { Services } from './services.ts'

/** Returns confidences: `confidences[i][j]` compares `first[i]` with `second[j]`. Scores equal those of a search. */
export async function compare(
  services: Pick<Services, 'embed' | 'scale'>,
  first: readonly Uint8Array[],
  second: readonly Uint8Array[],
): Promise<RpcResponse<'compare'>> {
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
