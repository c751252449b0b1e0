/** Compares the networks of the standard pack with their fusion, on people that the projection is not made from. */

import { EigenvalueDecomposition, Matrix } from 'ml-matrix'
import { matrixProduct } from '#core/embedding/embed-batch.ts'
import { dot, unitVector } from '#core/vector-store/unit-vector.ts'
import { concatenatedLength } from '#models/manifest.ts'
import { STANDARD_PACK } from '#models/packs.ts'
import { times } from '#test/support/times.ts'
import { benchmark, existing } from '../benchmark.ts'
import { keepModelFile } from '../lib/faces/keep-model-file.ts'
import { readPeople, readPopulation } from '../lib/faces/read-faces.ts'
import { shareOf } from '../lib/statistics/group-tables.ts'
import { greatestOf, pairScores } from '../lib/statistics/pair-scores.ts'
import { fixed, mean, quantile } from '../statistics.ts'

const RATES = [1e-2, 1e-3, 1e-4, 1e-5] as const

const { embedder } = STANDARD_PACK
const { networks, projection, dimension } = embedder

/** The standard pack without its projection: an embedding is the concatenation of its networks. */
const CONCATENATED = {
  ...STANDARD_PACK,
  embedder: {
    ...embedder,
    projection: undefined,
    clearness: undefined,
    dimension: concatenatedLength(networks),
  },
}

/** Unit vectors of each person. */
type People = readonly (readonly Float32Array[])[]

export default benchmark({
  description: 'true match rates and misses of the networks of the standard pack, alone and fused',
  options: {
    /** A folder of pictures per person. One half of the people makes the projection, the other half judges it. */
    images: '../shared/data/lfw-dev',
    /** Adults, one labelled picture each. They help to make the projection. */
    groups: '../shared/data/attributes/groups',
    /** Writes the projection of all faces to models/, and its hash to the manifest. */
    update: false,
  },
  async run({ images, groups, update }) {
    const { people } = await readPeople(await existing(images), CONCATENATED)
    const adults = (await readPopulation(await existing(groups), CONCATENATED)).map(({ unit }) => unit)
    const all: People = people.map(({ pictures }) => pictures)
    const [learnt, judged] = [0, 1].map(half => all.filter((_, i) => i % 2 === half))
    const matrix = principalDirections([...learnt!.flat(), ...adults])
    const kept = update
      ? await keepModelFile(projection!.file, principalDirections([...all.flat(), ...adults]))
      : 'no'
    const variants = Object.entries(variantsOf(matrix)).map(([name, vectorOf]) => {
      const faces = judged!.map(pictures => pictures.map(picture => unitVector(vectorOf(picture))))
      return { name, numbers: faces[0]![0]!.length, trueMatches: trueMatches(faces), ...misses(faces) }
    })
    return { people: judged!.length, pictures: judged!.flat().length, rates: RATES, kept, variants }
  },
})

/** Compared embeddings, as functions of the concatenated vector. */
function variantsOf(matrix: Float32Array): Record<string, (joined: Float32Array) => Float32Array> {
  const first = networks[0]!.dimension
  const projected = (joined: Float32Array) => matrixProduct(matrix, joined)
  return {
    'the first network': joined => joined.subarray(0, first),
    'the second network': joined => joined.subarray(first),
    'both, concatenated': joined => joined,
    'both, projected': projected,
    'the first half of these numbers': joined => projected(joined).subarray(0, dimension / 2),
  }
}

/** Rows: the eigenvectors of the uncentred second moment of these vectors with the largest eigenvalues, in falling order. */
function principalDirections(vectors: readonly Float32Array[]): Float32Array {
  const rows = new Matrix(vectors.map(vector => [...vector]))
  const { eigenvectorMatrix } = new EigenvalueDecomposition(rows.transpose().mmul(rows), {
    assumeSymmetric: true,
  })
  // The decomposition sorts eigenvalues in rising order.
  const columns = times(dimension, i => eigenvectorMatrix.columns - 1 - i)
  return Float32Array.from(columns.flatMap(column => eigenvectorMatrix.getColumn(column)))
}

/** Shares of genuine pairs that reach the score of each false match rate, over all pairs of pictures. */
function trueMatches(faces: People): number[] {
  const { same, strangers } = pairScores(
    faces.map(pictures => [...pictures]),
    (a, b) => dot(a, b, 0),
  )
  return RATES.map(rate => {
    const score = greatestOf(strangers, rate)
    return fixed(
      shareOf(same, one => one >= score),
      4,
    )
  })
}

/**
 * Search of each further picture among the first pictures of all people: the share of known people who are missed or
 * named wrongly (FNIR) where one of a hundred strangers gets a name (FPIR). A stranger is a person without the own
 * picture in the gallery.
 */
function misses(faces: People) {
  const gallery = faces.map(pictures => pictures[0]!)
  const best = (probe: Float32Array, isCounted: (person: number) => boolean) =>
    gallery.reduce((top, face, person) => (isCounted(person) ? Math.max(top, dot(probe, face, 0)) : top), -1)
  const alarms = faces.map((pictures, own) => best(pictures.at(-1)!, person => person !== own))
  const limit = quantile(alarms, 0.99)
  const probes = faces.flatMap((pictures, own) => pictures.slice(1).map(probe => ({ probe, own })))
  const missed = probes.map(({ probe, own }) => {
    const score = dot(probe, gallery[own]!, 0)
    return Number(score < limit || score < best(probe, person => person !== own))
  })
  return { missed: fixed(mean(missed), 4) }
}
