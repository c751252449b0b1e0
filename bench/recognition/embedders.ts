/**
 * Compares embedders, dimensions, views and alignments: all pairs of labelled pictures, with every variant in one
 * run.
 */
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { greatestOf, pairScores } from '#core/calibration/people.ts'
import { dot } from '#core/vector-store/unit-vector.ts'
import { readModel } from '#models/files.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { openVisionModels } from '#wasm/pipeline.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'
import { exists, fixed, fromCaller, median, type Outcome, progress, table } from '../benchmark.ts'
import { alignedChips } from '../lib/faces/aligned-chips.ts'
import { openVariants, type Variant } from '../lib/faces/variants.ts'

export const description =
  'packs standard and dlib, and variants of standard, on all pairs of pictures: true match rates, time per face'

export const options = { images: { type: 'string' }, limit: { type: 'string' } } as const

const RATES = [1e-2, 1e-3, 1e-4, 1e-5]

/** Minimum number of impostor pairs beyond a rate to print it. */
const LEAST_BEYOND = 3

/** Results of a variant: embeddings of the pictures with a face, and the time of each. */
interface Embedded {
  name: string
  vectors: Float32Array[]
  milliseconds: number[]
}

export async function run(values: {
  /** A folder per person. Default: the development pictures of LFW. */
  images?: string
  /** Number of pictures, starting with the first. */
  limit?: string
}): Promise<Outcome> {
  const images = fromCaller(values.images ?? '../shared/data/lfw-dev')
  if (!(await exists(images))) return { table: `skipped: there is no ${images}`, result: { skipped: true } }
  const files = (await readdir(images, { recursive: true }))
    .filter(file => /\.(jpe?g|png|webp)$/i.test(file))
    .sort()
    .slice(0, values.limit === undefined ? undefined : Number(values.limit))
  const variants = await openVariants()
  const { persons, embedded } = await embedAll(images, files, variants)
  const measured = embedded.map(own => ({ name: own.name, ...measure(persons, own) }))
  const { strangers, same } = measured[0]!
  const [dlib] = measured
  const rows = measured.map(({ name, trueMatches, milliseconds }) => [
    name,
    ...trueMatches.map(share => (share === undefined ? '' : `${fixed(100 * share)} %`)),
    fixed(milliseconds, 1),
    fixed(milliseconds / dlib!.milliseconds, 2),
  ])
  return {
    table: [
      `${persons.length} pictures, ${strangers} pairs of strangers, ${same} of one person; ${files.length - persons.length} without a face`,
      table([
        [
          'true matches at a false match rate of',
          ...RATES.map(rate => rate.toExponential(0)),
          'ms a face',
          'of dlib',
        ],
        ...rows,
      ]),
    ].join('\n\n'),
    result: {
      pictures: persons.length,
      strangers,
      same,
      rates: RATES,
      variants: measured.map(({ strangers: _, same: __, ...rest }) => rest),
    },
  }
}

/** Detects each picture once and runs all variants in sequence: load on the machine affects all of them equally. */
async function embedAll(images: string, files: readonly string[], variants: readonly Variant[]) {
  const models = await openVisionModels(await openRuntime(), loadCodecs(), readModel)
  const persons: string[] = []
  const embedded: Embedded[] = variants.map(({ name }) => ({ name, vectors: [], milliseconds: [] }))
  for (const [i, file] of files.entries()) {
    if (i % 500 === 0) progress(`${i} of ${files.length} pictures`)
    const chips = await alignedChips(models, join(images, file))
    if (!chips) continue
    persons.push(dirname(file))
    for (const [v, { alignment, embed }] of variants.entries()) {
      const begin = performance.now()
      embedded[v]!.vectors.push(await embed(chips[alignment]))
      embedded[v]!.milliseconds.push(performance.now() - begin)
    }
  }
  return { persons, embedded }
}

function measure(persons: readonly string[], { vectors, milliseconds }: Embedded) {
  const people = [...Map.groupBy(vectors.keys(), i => persons[i]!).values()].map(own =>
    own.map(i => vectors[i]!),
  )
  const { strangers, same } = pairScores(people, (a, b) => dot(a, b, 0))
  const trueMatches = RATES.map(rate => {
    if (rate * strangers.length < LEAST_BEYOND) return undefined
    const score = greatestOf(strangers, rate)
    return fixed(same.filter(one => one > score).length / same.length, 4)
  })
  return {
    strangers: strangers.length,
    same: same.length,
    trueMatches,
    milliseconds: fixed(median(milliseconds), 2),
  }
}
