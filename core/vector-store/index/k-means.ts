/** Trains the lists of an inverted file on int8 codes: spherical k-means over a sample, then the closest centroid of every row. */
import { openKernels } from '../../../wasm/kernels/kernels.node.ts'
import { codeBytes, type Kernels, PROBE_LEVELS, ROW_ZERO } from '../../../wasm/kernels/kernels.ts'
import { seededRandom } from './seeded-random.ts'
import type { CodeSlice } from './slices.ts'

/** Sample rows per list, and least rows per list; with fewer rows, a centroid depends on chance. */
export const SAMPLE_PER_LIST = 40
const LEAST_PER_LIST = 39

/** Iterations of k-means. After these the centroids hardly move. */
const ROUNDS = 5

/** Rows per kernel call; a multiple of four. */
const ROWS_AT_ONCE = 256

const WASM_PAGE_BYTES = 65_536
const CODE_INFO = 0
const VECTOR = 64

/**
 * Number of lists of an index: the square root of its rows, since a search reads all centroids and a fraction of the
 * lists.
 */
export const listsFor = (rows: number): number =>
  Math.max(1, Math.min(Math.round(Math.sqrt(rows)), Math.floor(rows / LEAST_PER_LIST)))

/** Opens a trainer for vectors of a dimension, with its own memory. */
export async function openKMeansTrainer(dimension: number): Promise<KMeansTrainer> {
  const memory = new WebAssembly.Memory({ initial: 1 })
  return new KMeansTrainer(dimension, memory, await openKernels(memory))
}

/**
 * Trainer for one thread. Deterministic in every kernel build: the same sample gives the same centroids, and the
 * same centroids give the same lists.
 */
class KMeansTrainer {
  readonly #dimension: number
  readonly #bytes: number
  readonly #memory: WebAssembly.Memory
  readonly #kernels: Kernels
  #lists = 0

  constructor(dimension: number, memory: WebAssembly.Memory, kernels: Kernels) {
    this.#dimension = dimension
    this.#bytes = codeBytes(dimension)
    this.#memory = memory
    this.#kernels = kernels
  }

  /** Centroids of a sample that has at least one row per list: one unit vector per list. `onProgress` receives 0..1. */
  train(sample: CodeSlice, lists: number, onProgress?: (part: number) => void): Float32Array {
    const random = seededRandom(lists)
    const anyRow = () => Math.floor(random() * sample.ids.length)
    const centroids = new Float32Array(lists * this.#dimension)
    const first = shuffled(sample.ids.length, random)
    for (let list = 0; list < lists; list++) this.#add(sample, first[list]!, centroids, list)
    this.#normalize(centroids, lists, sample, anyRow)
    this.#use(centroids, lists)
    for (let round = 0; round < ROUNDS; round++) {
      const assigned = this.assign(sample)
      centroids.fill(0)
      for (const [row, list] of assigned.entries()) this.#add(sample, row, centroids, list)
      this.#normalize(centroids, lists, sample, anyRow)
      this.#use(centroids, lists)
      onProgress?.((round + 1) / ROUNDS)
    }
    return centroids
  }

  /** Sets the centroids for `assign`: contiguous unit vectors. */
  #use(centroids: Float32Array, lists: number) {
    this.#lists = lists
    const { codes, factors, end } = this.#places()
    const missing = end - this.#memory.buffer.byteLength
    if (missing > 0) this.#memory.grow(Math.ceil(missing / WASM_PAGE_BYTES))
    const floats = new Float32Array(this.#memory.buffer)
    const words = new Int32Array(this.#memory.buffer)
    floats.fill(0, VECTOR / 4, VECTOR / 4 + this.#bytes)
    for (let list = 0; list < lists; list++) {
      floats.set(centroids.subarray(list * this.#dimension, (list + 1) * this.#dimension), VECTOR / 4)
      this.#kernels.encode(VECTOR, this.#bytes, PROBE_LEVELS, 0, codes + list * this.#bytes, CODE_INFO)
      words[factors / 4 + 2 * list] = ROW_ZERO * words[CODE_INFO / 4 + 2]!
      floats[factors / 4 + 2 * list + 1] = floats[CODE_INFO / 4]!
    }
  }

  /** List of each row, 0..lists - 1: the list of the closest centroid. Call `train` first. */
  assign({ codes: rows, ids }: CodeSlice): Uint32Array {
    const { codes, factors, best, rows: buffer } = this.#places()
    const bytes = new Uint8Array(this.#memory.buffer)
    const words = new Uint32Array(this.#memory.buffer)
    const lists = new Uint32Array(ids.length)
    for (let from = 0; from < lists.length; from += ROWS_AT_ONCE) {
      const count = Math.min(ROWS_AT_ONCE, lists.length - from)
      bytes.set(rows.subarray(from * this.#bytes, (from + count) * this.#bytes), buffer)
      this.#kernels.assign(buffer, Math.ceil(count / 4) * 4, this.#bytes, codes, factors, this.#lists, best)
      lists.set(words.subarray(best / 4, best / 4 + count), from)
    }
    return lists
  }

  #places() {
    const codes = VECTOR + 4 * this.#bytes
    const factors = codes + this.#lists * this.#bytes
    const best = factors + 8 * this.#lists
    const rows = Math.ceil((best + 4 * ROWS_AT_ONCE) / 16) * 16
    return { codes, factors, best, rows, end: rows + ROWS_AT_ONCE * this.#bytes }
  }

  /** Adds the vector of a row to the sum of a list. */
  #add({ codes, scales }: CodeSlice, row: number, sums: Float32Array, list: number) {
    const step = scales[row]!
    const from = row * this.#bytes
    const to = list * this.#dimension
    for (let i = 0; i < this.#dimension; i++) {
      sums[to + i]! += (codes[from + i]! - ROW_ZERO) * step
    }
  }

  /** Scales the sums to unit vectors. A list with a zero sum gets a random row. */
  #normalize(sums: Float32Array, lists: number, sample: CodeSlice, anyRow: () => number) {
    for (let list = 0; list < lists; list++) {
      const centroid = sums.subarray(list * this.#dimension, (list + 1) * this.#dimension)
      if (length(centroid) === 0) this.#add(sample, anyRow(), sums, list)
      const scale = 1 / length(centroid)
      for (let i = 0; i < centroid.length; i++) centroid[i]! *= scale
    }
  }
}

function length(vector: Float32Array) {
  let squares = 0
  for (const value of vector) squares += value * value
  return Math.sqrt(squares)
}

/** 0..count - 1 in random order (Fisher-Yates). */
function shuffled(count: number, random: () => number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i)
  for (let i = count - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1))
    const held = order[i]!
    order[i] = order[other]!
    order[other] = held
  }
  return order
}
