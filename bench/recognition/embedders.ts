/** Compares embedders, dimensions, views and alignments: all pairs of labelled pictures, with every variant in one run. */
import { dirname, join } from 'node:path'
import { greatestOf, pairScores } from '#core/calibration/people.ts'
import { dot } from '#core/vector-store/unit-vector.ts'
import { benchmark, existing, tell } from '../benchmark.ts'
import { openAnalysis, picturesIn } from '../lib/faces/analysis.ts'
import { alignedChips, openVariants } from '../lib/faces/variants.ts'
import { fixed, median, timed } from '../statistics.ts'

const RATES = [1e-2, 1e-3, 1e-4, 1e-5]

/** Minimum number of impostor pairs beyond a rate to print it. */
const LEAST_BEYOND = 3

/** Results of a variant: embeddings of the pictures with a face, and the time of each. */
interface Embedded {
  name: string
  vectors: Float32Array[]
  milliseconds: number[]
}

export default benchmark({
  description:
    'packs standard and dlib, and variants of standard, on all pairs of pictures: true match rates, time per face',
  options: { images: '../shared/data/lfw-dev', limit: 0 },
  async run({ images, limit }) {
    const folder = await existing(images)
    const files = (await picturesIn(folder)).slice(0, limit || undefined)
    const { persons, embedded } = await embedAll(folder, files)
    const measured = embedded.map(own => measure(persons, own))
    const { strangers, same } = measured[0]!.pairs
    const variants = measured.map(({ name, trueMatches, milliseconds }) => ({
      ...{ name, trueMatches, milliseconds },
      timesOfDlib: fixed(milliseconds / measured[0]!.milliseconds, 2),
    }))
    return { pictures: persons.length, withoutFace: files.length - persons.length, strangers, same, variants }
  },
})

/** Detects each picture once and runs all variants in sequence: load on the machine affects all of them equally. */
async function embedAll(folder: string, files: readonly string[]) {
  const [models, variants] = [await openAnalysis(), await openVariants()]
  const persons: string[] = []
  const embedded: Embedded[] = variants.map(({ name }) => ({ name, vectors: [], milliseconds: [] }))
  for (const [i, file] of files.entries()) {
    tell(i, files.length)
    const chips = await alignedChips(models, join(folder, file))
    if (!chips) continue
    persons.push(dirname(file))
    for (const [v, { alignment, embed }] of variants.entries()) {
      const { vectors, milliseconds } = embedded[v]!
      milliseconds.push(await timed(async () => vectors.push(await embed(chips[alignment]))))
    }
  }
  return { persons, embedded }
}

function measure(persons: readonly string[], { name, vectors, milliseconds }: Embedded) {
  const people = [...Map.groupBy(vectors.keys(), i => persons[i]!).values()].map(own =>
    own.map(i => vectors[i]!),
  )
  const { strangers, same } = pairScores(people, (a, b) => dot(a, b, 0))
  const trueMatches: Record<string, number> = {}
  for (const rate of RATES)
    if (rate * strangers.length >= LEAST_BEYOND) {
      const score = greatestOf(strangers, rate)
      trueMatches[`at ${rate.toExponential(0)}`] = fixed(
        same.filter(one => one > score).length / same.length,
        4,
      )
    }
  return {
    name,
    pairs: { strangers: strangers.length, same: same.length },
    trueMatches,
    milliseconds: fixed(median(milliseconds), 2),
  }
}
