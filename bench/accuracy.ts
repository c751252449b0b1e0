/** Same person or not? The pairs of Labeled Faces in the Wild, through the service's own chain. */
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dot } from '../core/store/unit-vector.ts'
import { fixed, fromCaller, type Outcome, table } from './benchmark.ts'
import { type Choice, embedPictures } from './faces/embed-pictures.ts'
import { accuracyAt, bestThreshold, type Compared, tenFoldAccuracy, trueAcceptRate } from './faces/rates.ts'

export const description = 'LFW pairs: accuracy, and true accepts at given false accepts'

export const options = {
  pairs: { type: 'string' },
  images: { type: 'string' },
  limit: { type: 'string' },
  choice: { type: 'string' },
} as const

interface Pair {
  first: string
  second: string
  same: boolean
}

export async function run(values: {
  pairs?: string
  images?: string
  /** Only so many pairs of each kind. */
  limit?: string
  /** `central` (default, what LFW means) or `biggest`. */
  choice?: string
}): Promise<Outcome> {
  const images = fromCaller(values.images ?? '../shared/data/lfw-dev')
  const list = values.pairs === undefined ? join(images, 'pairsDevTest.txt') : fromCaller(values.pairs)
  const there = await access(list).then(
    () => true,
    () => false,
  )
  if (!there) return { table: `skipped: there is no ${list}`, result: { skipped: true } }

  const choice: Choice = values.choice === 'biggest' ? 'biggest' : 'central'
  const limit = values.limit === undefined ? Number.POSITIVE_INFINITY : Number(values.limit)
  const pairs = readPairs(await readFile(list, 'utf8'), images, limit)
  const pictures = [...new Set(pairs.flatMap(({ first, second }) => [first, second]))]
  const embeddings = await embedPictures(pictures, choice)
  return outcome(
    pairs.map(pair => compared(pair, embeddings)),
    pictures.filter(picture => !embeddings.get(picture)).length,
    choice,
  )
}

/** Lines `name i j` (one person) or `name i other j` (two), below a head that says how many. */
function readPairs(text: string, images: string, limit: number): Pair[] {
  const picture = (name: string, number: string) =>
    join(images, name, `${name}_${number.padStart(4, '0')}.jpg`)
  const [, ...lines] = text.trim().split(/\r?\n/)
  const pairs = lines.map(line => {
    const words = line.split(/\s+/)
    const same = words.length === 3
    const [name = '', i = '', other = '', j = ''] = same ? [words[0], words[1], words[0], words[2]] : words
    return { first: picture(name, i), second: picture(other, j), same }
  })
  return [
    ...pairs.filter(({ same }) => same).slice(0, limit),
    ...pairs.filter(({ same }) => !same).slice(0, limit),
  ]
}

/** A picture without a face makes its pair a wrong one at every threshold. */
function compared(
  { first, second, same }: Pair,
  embeddings: ReadonlyMap<string, Float32Array | undefined>,
): Compared {
  const [a, b] = [embeddings.get(first), embeddings.get(second)]
  if (!a || !b) return { same, score: same ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY }
  return { same, score: dot(a, b, 0) }
}

function outcome(pairs: readonly Compared[], failures: number, choice: Choice): Outcome {
  const threshold = bestThreshold(pairs)
  const result = {
    pairs: pairs.length,
    choice,
    accuracy: fixed(accuracyAt(pairs, threshold), 4),
    threshold: fixed(threshold, 4),
    accuracy_ten_fold: fixed(tenFoldAccuracy(pairs), 4),
    'tar_at_far_1e-2': fixed(trueAcceptRate(pairs, 1e-2), 4),
    'tar_at_far_1e-3': fixed(trueAcceptRate(pairs, 1e-3), 4),
    failures,
  }
  return { table: table([['measure', 'value'], ...Object.entries(result)]), result }
}
