/** Measures verification accuracy on labelled pairs of pictures, for example of Labeled Faces in the Wild. */
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type Box, boxKey } from '#contract/model/bbox.ts'
import { dot } from '#core/vector-store/unit-vector.ts'
import { type PlacedPack, packNamed, STANDARD_NAME } from '#models/packs.ts'
import { readHeader, uprightSize } from '#wasm/decode/header.ts'
import { benchmark, DATA, existing, fromCaller, tell } from '../benchmark.ts'
import { form, type Send } from '../harness/client.ts'
import { type Choice, offCentre } from '../lib/faces/analysis.ts'
import { type Pair, readPairs, someOfEach } from '../lib/faces/labelled-pairs.ts'
import { embedPictures } from '../lib/faces/read-faces.ts'
import { accuracyAt, bestThreshold, tenFoldAccuracy, trueAcceptRate } from '../lib/statistics/rates.ts'
import type { Rig } from '../rig.ts'
import { fixed } from '../statistics.ts'

/** Score of each pair; undefined for a pair with a picture without a face. */
type Scores = (number | undefined)[]

export default benchmark({
  description:
    'verification accuracy on labelled pairs (LFW format, or lines `a,b,yes|no`) through /v0/verify or, four times as fast, the library',
  options: {
    images: '../shared/data/lfw-dev',
    /** Default: pairsDevTest.txt of the images. */
    pairs: '',
    /** Maximum number of pairs of each kind; 0 for all. */
    limit: 0,
    /** `central`, as LFW defines, or `biggest`. */
    choice: 'central',
    library: false,
    /** A pack of the data folder. */
    pack: STANDARD_NAME,
    data: DATA,
  },
  async run({ images, pairs: list, limit, library, ...given }, rig) {
    const folder = fromCaller(images)
    const file = await existing(list || join(folder, 'pairsDevTest.txt'))
    const choice: Choice = given.choice === 'biggest' ? 'biggest' : 'central'
    const pairs = someOfEach(await readPairs(file, folder), limit || Number.POSITIVE_INFINITY)
    const data = fromCaller(given.data)
    const pack = await packNamed(data, given.pack)
    const scores = library
      ? await byLibrary(pairs, choice, pack)
      : await overHttp(pairs, choice, pack.name, data, rig)
    // A pair without a face counts as wrong at every threshold.
    const compared = pairs.map(({ same }, i) => ({
      same,
      score: scores[i] ?? (same ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY),
    }))
    const threshold = bestThreshold(compared)
    return {
      pairs: pairs.length,
      way: library ? 'library' : 'HTTP',
      choice,
      pack: pack.name,
      accuracy: fixed(accuracyAt(compared, threshold), 4),
      threshold: fixed(threshold, 4),
      accuracy_ten_fold: fixed(tenFoldAccuracy(compared), 4),
      'tar_at_far_1e-2': fixed(trueAcceptRate(compared, 1e-2), 4),
      'tar_at_far_1e-3': fixed(trueAcceptRate(compared, 1e-3), 4),
      failures: scores.filter(score => score === undefined).length,
    }
  },
})

/** The score is the dot product of the embeddings. Each picture is analysed once. */
async function byLibrary(pairs: readonly Pair[], choice: Choice, pack: PlacedPack): Promise<Scores> {
  const pictures = [...new Set(pairs.flatMap(({ first, second }) => [first, second]))]
  const embeddings = await embedPictures(pictures, pack, choice)
  return pairs.map(({ first, second }) => {
    const [a, b] = [embeddings.get(first), embeddings.get(second)]
    return a && b && dot(a, b, 0)
  })
}

async function overHttp(
  pairs: readonly Pair[],
  choice: Choice,
  pack: string,
  data: string,
  rig: Rig,
): Promise<Scores> {
  // A new data folder with the operator's packs.
  const folder = await rig.folder()
  await symlink(join(data, 'packs'), join(folder, 'packs'))
  const { send } = await rig.service({ data: folder, env: { MIEN_PACK: pack } })
  const scores: Scores = []
  for (const pair of pairs) {
    tell(scores.length, pairs.length)
    scores.push(await confidenceOf(send, pair, choice))
  }
  return scores
}

/** One pair of faces in a response of verify. */
interface Verified {
  readonly bbox1: Box
  readonly bbox2: Box
  readonly confidence: number
}

/** The confidence of the two chosen faces. It rises with the raw score: error rates are the same for both. */
async function confidenceOf(
  send: Send,
  { first, second }: Pair,
  choice: Choice,
): Promise<number | undefined> {
  const photo1 = new Uint8Array(await readFile(first))
  const photo2 = new Uint8Array(await readFile(second))
  const selector = choice === 'biggest' ? choice : 'all'
  const fields = form({ photo1, photo2, threshold: 'none', mf_selector: selector })
  const { status, body } = await send('POST', '/v0/verify', fields)
  if (body?.code === 'NO_FACES') return undefined
  if (status !== 200) throw new Error(`The service answered ${status}: ${JSON.stringify(body)}`)
  const results: Verified[] = body.results
  const middle = (bytes: Uint8Array, boxes: readonly Box[]) => {
    const size = uprightSize(readHeader(bytes))
    return boxes.toSorted((a, b) => offCentre(a, size) - offCentre(b, size))[0]!
  }
  const one = boxKey(
    middle(
      photo1,
      results.map(({ bbox1 }) => bbox1),
    ),
  )
  const other = boxKey(
    middle(
      photo2,
      results.map(({ bbox2 }) => bbox2),
    ),
  )
  return results.find(({ bbox1, bbox2 }) => boxKey(bbox1) === one && boxKey(bbox2) === other)?.confidence
}
