/**
 * Measures verification accuracy on labelled pairs of pictures, for example of Labeled Faces in the Wild, through the
 * HTTP API.
 */
import { mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packNamed, STANDARD_NAME } from '#models/packs.ts'
import { exists, fixed, fromCaller, type Outcome, progress, table } from '../benchmark.ts'
import { clientOf } from '../harness/client.ts'
import { startService } from '../harness/service.ts'
import { type Comparisons, comparePairs, verifyPairs } from '../lib/faces/compare-pairs.ts'
import { type Pair, readPairs, someOfEach } from '../lib/faces/labelled-pairs.ts'
import type { Choice } from '../lib/measures/choice.ts'
import { accuracyAt, bestThreshold, tenFoldAccuracy, trueAcceptRate } from '../lib/measures/rates.ts'

export const description =
  'verification accuracy on labelled pairs (LFW format, or lines `a,b,yes|no`) through /v0/verify, and true accept rates'

export const options = {
  pairs: { type: 'string' },
  images: { type: 'string' },
  limit: { type: 'string' },
  choice: { type: 'string' },
  library: { type: 'boolean' },
  pack: { type: 'string' },
  data: { type: 'string' },
} as const

/** Pairs between two lines of progress. */
const STEP = 250

export async function run(values: {
  pairs?: string
  images?: string
  /** Maximum number of pairs of each kind. */
  limit?: string
  /** `central` (default, as LFW defines) or `biggest`. */
  choice?: string
  /** Calls the library instead of the HTTP API: four times as fast. */
  library?: boolean
  /** Default: the standard pack. Other packs are those of the data folder. */
  pack?: string
  data?: string
}): Promise<Outcome> {
  const images = fromCaller(values.images ?? '../shared/data/lfw-dev')
  const list = values.pairs === undefined ? join(images, 'pairsDevTest.txt') : fromCaller(values.pairs)
  if (!(await exists(list))) return { table: `skipped: there is no ${list}`, result: { skipped: true } }

  const choice: Choice = values.choice === 'biggest' ? 'biggest' : 'central'
  const limit = values.limit === undefined ? Number.POSITIVE_INFINITY : Number(values.limit)
  const pairs = someOfEach(await readPairs(list, images), limit)
  const way = values.library ? 'library' : 'HTTP'
  const data = fromCaller(values.data ?? process.env.MIEN_DATA ?? 'data')
  const pack = await packNamed(data, values.pack ?? STANDARD_NAME)
  const compared = values.library
    ? await comparePairs(pairs, choice, pack)
    : await overHttp(pairs, choice, pack.name, data)
  return outcome(compared, { way, choice, pack: pack.name })
}

async function overHttp(
  pairs: readonly Pair[],
  choice: Choice,
  pack: string,
  data: string,
): Promise<Comparisons> {
  // A temporary data folder with the operator's packs.
  const folder = await mkdtemp(join(tmpdir(), 'mien-accuracy-'))
  await symlink(join(data, 'packs'), join(folder, 'packs'))
  const service = await startService({ data: folder, env: { MIEN_PACK: pack } })
  try {
    const send = clientOf(service.edge, service.token)
    return await verifyPairs(send, pairs, choice, done => {
      if (done % STEP === 0) progress(`${done} of ${pairs.length} pairs`)
    })
  } finally {
    await service.stop()
    await service.remove()
  }
}

function outcome(
  { compared, failures }: Comparisons,
  setting: { readonly way: string; readonly choice: Choice; readonly pack: string },
): Outcome {
  const threshold = bestThreshold(compared)
  const result = {
    pairs: compared.length,
    ...setting,
    accuracy: fixed(accuracyAt(compared, threshold), 4),
    threshold: fixed(threshold, 4),
    accuracy_ten_fold: fixed(tenFoldAccuracy(compared), 4),
    'tar_at_far_1e-2': fixed(trueAcceptRate(compared, 1e-2), 4),
    'tar_at_far_1e-3': fixed(trueAcceptRate(compared, 1e-3), 4),
    failures,
  }
  return { table: table([['measure', 'value'], ...Object.entries(result)]), result }
}
