/** Compares pairs of pictures through verify of a running service, or through the library. */
import { readFile } from 'node:fs/promises'
import { type Box, boxKey } from '#contract/model/bbox.ts'
import { dot } from '#core/vector-store/unit-vector.ts'
import type { PlacedPack } from '#models/packs.ts'
import { readHeader, uprightSize } from '#wasm/decode/header.ts'
import { type Answered, form, type Send } from '../../harness/client.ts'
import { type Choice, offCentre } from '../measures/choice.ts'
import type { Compared } from '../measures/rates.ts'
import { embedPictures } from './embed-pictures.ts'
import type { Pair } from './labelled-pairs.ts'

export interface Comparisons {
  /** One comparison per pair, in the order of the pairs. */
  readonly compared: Compared[]
  /** Pairs with a picture without a face. They count as wrong at every threshold. */
  readonly failures: number
}

/** One pair of faces in a response of verify. */
interface Verified {
  readonly bbox1: Box
  readonly bbox2: Box
  readonly confidence: number
}

/**
 * Sends each pair to verify. The score of a pair is the confidence of its two chosen faces. Confidence rises with the
 * raw score: error rates are the same for both. `onProgress` receives the number of finished pairs.
 */
export async function verifyPairs(
  send: Send,
  pairs: readonly Pair[],
  choice: Choice,
  onProgress: (done: number) => void = () => {},
): Promise<Comparisons> {
  const scores: (number | undefined)[] = []
  for (const pair of pairs) {
    const [photo1, photo2] = await Promise.all([bytesOf(pair.first), bytesOf(pair.second)])
    const asked = form({
      photo1,
      photo2,
      threshold: 'none',
      mf_selector: choice === 'biggest' ? choice : 'all',
    })
    const results = resultsOf(await send('POST', '/v0/verify', asked))
    scores.push(results && standingFor(results, photo1, photo2)?.confidence)
    onProgress(scores.length)
  }
  return comparisons(pairs, scores)
}

/** The same with library calls and one analysis per picture. The score is the dot product of the embeddings. */
export async function comparePairs(
  pairs: readonly Pair[],
  choice: Choice,
  pack: PlacedPack,
): Promise<Comparisons> {
  const pictures = [...new Set(pairs.flatMap(({ first, second }) => [first, second]))]
  const embeddings = await embedPictures(pictures, choice, () => {}, pack)
  const scores = pairs.map(({ first, second }) => {
    const [a, b] = [embeddings.get(first), embeddings.get(second)]
    return a && b && dot(a, b, 0)
  })
  return comparisons(pairs, scores)
}

function comparisons(pairs: readonly Pair[], scores: readonly (number | undefined)[]): Comparisons {
  const compared = pairs.map(({ same }, i) => ({
    same,
    score: scores[i] ?? (same ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY),
  }))
  return { compared, failures: scores.filter(score => score === undefined).length }
}

/** Undefined when one of the photos has no face. */
function resultsOf({ status, body }: Answered): Verified[] | undefined {
  if (status === 200) return body.results
  if (body?.code === 'NO_FACES') return undefined
  throw new Error(`The service answered ${status}: ${JSON.stringify(body)}`)
}

/** The result for the most central face of each photo; the only result if only the biggest was requested. */
function standingFor(
  results: readonly Verified[],
  photo1: Uint8Array,
  photo2: Uint8Array,
): Verified | undefined {
  const middle = (bytes: Uint8Array, boxes: readonly Box[]) => {
    const size = uprightSize(readHeader(bytes))
    return boxes.toSorted((a, b) => offCentre(a, size) - offCentre(b, size))[0]
  }
  const first = middle(
    photo1,
    results.map(({ bbox1 }) => bbox1),
  )
  const second = middle(
    photo2,
    results.map(({ bbox2 }) => bbox2),
  )
  if (!first || !second) return undefined
  return results.find(
    ({ bbox1, bbox2 }) => boxKey(bbox1) === boxKey(first) && boxKey(bbox2) === boxKey(second),
  )
}

const bytesOf = async (path: string) => new Uint8Array(await readFile(path))
