/** Measures scans of codes: SIMD, relaxed SIMD, and float vectors in plain JavaScript. */
import { CodeGallery } from '#core/vector-store/codes/code-gallery.ts'
import { openCodeMemory } from '#core/vector-store/codes/code-memory.ts'
import { exactBest } from '#core/vector-store/codes/exact-best.ts'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import { dot, unitVector } from '#core/vector-store/unit-vector.ts'
import { takesBuild } from '#wasm/kernels/kernels.node.ts'
import type { KernelBuild } from '#wasm/kernels/kernels.ts'
import { fixed, median, minimum, type Outcome, table } from '../benchmark.ts'

export const description = 'milliseconds of one exact search over codes in memory, by build of the kernels'

export const options = { rounds: { type: 'string' } } as const

const CASES = [
  { rows: 1_000_000, dimension: 128 },
  { rows: 100_000, dimension: 512 },
]
const BUILDS: KernelBuild[] = ['simd', 'relaxed']
const LIMIT = 10

/** A kind of search over the rows of one case. */
interface Contestant {
  readonly name: string
  search(probe: Float32Array): void
}

export async function run(values: { rounds?: string }): Promise<Outcome> {
  const rounds = Number(values.rounds ?? 60)
  const rows: Record<string, string | number>[] = []
  for (const { rows: count, dimension } of CASES) {
    const vectors = unitVectors(count, dimension)
    const contestants = [plain(vectors, dimension)]
    for (const build of BUILDS)
      if (await takesBuild(build)) contestants.push(...(await codes(vectors, dimension, build)))
    for (const [name, times] of measured(contestants, vectors, dimension, rounds)) {
      const ms = { 'least ms': fixed(minimum(times), 2), 'median ms': fixed(median(times), 2) }
      rows.push({ rows: count, dimension, search: name, ...ms })
    }
  }
  return {
    table: table([Object.keys(rows[0]!), ...rows.map(row => Object.values(row))]),
    result: { rounds, rows },
  }
}

function unitVectors(count: number, dimension: number): Float32Array {
  const random = seededRandom(dimension)
  const vectors = new Float32Array(count * dimension)
  for (let row = 0; row < count; row++) {
    vectors.set(unitVector(Float32Array.from({ length: dimension }, () => random() - 0.5)), row * dimension)
  }
  return vectors
}

function plain(vectors: Float32Array, dimension: number): Contestant {
  const search = (probe: Float32Array) => {
    let best = -1
    for (let at = 0; at < vectors.length; at += dimension) best = Math.max(best, dot(probe, vectors, at))
    return best
  }
  return { name: 'plain JavaScript, best score alone', search }
}

async function codes(vectors: Float32Array, dimension: number, build: KernelBuild): Promise<Contestant[]> {
  const gallery = new CodeGallery(await openCodeMemory(build), dimension)
  const vector = (id: number) => vectors.subarray(id * dimension, (id + 1) * dimension)
  for (let id = 0; id < vectors.length / dimension; id++) gallery.add(id, vector(id))
  const scan = (probe: Float32Array, wanted: number, minScore?: number) =>
    gallery.scan(probe, { wanted, minScore })
  const bounds = { limit: LIMIT, minScore: -1 }
  return [
    { name: `${build}, scan`, search: probe => scan(probe, LIMIT) },
    {
      name: `${build}, scan and compare`,
      search: probe =>
        exactBest(
          probe,
          bounds,
          (wanted, minScore) => scan(probe, wanted, minScore),
          ids => ids.map(vector),
        ),
    },
  ]
}

/** Interleaves the contestants: other load on the machine affects all of them equally. */
function measured(
  contestants: readonly Contestant[],
  vectors: Float32Array,
  dimension: number,
  rounds: number,
) {
  const times = new Map(contestants.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    const at = ((round * 7919) % (vectors.length / dimension)) * dimension
    const probe = unitVector(
      vectors.slice(at, at + dimension).map((value, i) => value + (i % 2 ? 0.05 : -0.05)),
    )
    for (const { name, search } of contestants) {
      const start = performance.now()
      search(probe)
      times.get(name)!.push(performance.now() - start)
    }
  }
  return times
}
