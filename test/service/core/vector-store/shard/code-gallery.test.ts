/** CodeGallery compared with a plain gallery through additions, removals, seals and arrangements in any order. */
import fc from 'fast-check'
import { BestCandidates } from '#core/vector-store/best-candidates.ts'
import { exactBest } from '#core/vector-store/codes/exact-best.ts'
import { type CodeMemory, GREATEST_ORDER, openCodeMemory } from '#core/vector-store/codes/int8-codes.ts'
import { CodeGallery, type ScanBounds } from '#core/vector-store/shard/code-gallery.ts'
import { cosine } from '#core/vector-store/unit-vector.ts'
import { type SearchBounds, type Space, StoreUnavailable } from '#core/vector-store/vector-store.ts'
import { dimensions, kinds, unitVectors } from '#test/unit/wasm/kernels/oracle.ts'

/** A reference gallery without codes: it sorts all vectors for every search. */
class PlainGallery {
  readonly vectors = new Map<number, Float32Array>()
  readonly spaces = new Map<number, Space>()

  add(id: number, vector: Float32Array) {
    this.vectors.set(id, vector)
    this.spaces.set(id, 'linear')
  }

  remove(id: number) {
    this.vectors.delete(id)
    this.spaces.delete(id)
  }

  counts(): Record<Space, number> {
    const counts = { linear: 0, preindex: 0, indexed: 0 }
    for (const space of this.spaces.values()) counts[space]++
    return counts
  }

  /** The expected answer of a search; `among` selects spaces. */
  search(probe: Float32Array, bounds: SearchBounds, among = (_: Space) => true) {
    const best = new BestCandidates(bounds)
    for (const id of this.vectors.keys()) {
      if (among(this.spaces.get(id)!)) best.offer(id, this.score(probe, id))
    }
    return best.ranked()
  }

  score(probe: Float32Array, id: number) {
    return cosine(probe, this.vectors.get(id)!)
  }

  /** The answer of the codes, with these vectors for the exact comparison. */
  searchCodes(
    codes: CodeGallery,
    probe: Float32Array,
    bounds: SearchBounds,
    options: Partial<ScanBounds> = {},
  ) {
    const scan = (wanted: number, minScore: number) => codes.scan(probe, { wanted, minScore, ...options })
    return exactBest(probe, bounds, scan, ids => ids.map(id => this.vectors.get(id)))
  }
}

const LISTS = 5

/** Memory that the kernels use beside the galleries. */
const SCRATCH_BYTES = 2 ** 15

let memory: CodeMemory
beforeAll(async () => {
  memory = await openCodeMemory()
})

/** An index with random centroids and lists: exhaustive searches must not depend on them. */
function anyIndex(dimension: number, plain: PlainGallery, next: () => Float32Array, missing: number) {
  const model = new Float32Array(LISTS * dimension)
  for (let list = 0; list < LISTS; list++) model.set(next(), list * dimension)
  // Some ids are removed or linear, and some indexed ids are absent.
  const ids = [...plain.vectors.keys(), 1e9, 2e9].filter((_, i) => i % 7 !== missing)
  const lists = Uint32Array.from(ids, id => id % LISTS)
  return { index: { model, lists: LISTS }, assignment: { ids: Float64Array.from(ids), lists } }
}

class Pair {
  readonly plain = new PlainGallery()
  readonly codes: CodeGallery
  readonly dimension: number
  readonly next: () => Float32Array
  arranging: Generator<void> | undefined

  constructor(dimension: number, next: () => Float32Array, within = memory) {
    this.dimension = dimension
    this.next = next
    this.codes = new CodeGallery(within, dimension)
  }

  add(id: number) {
    if (this.codes.has(id)) return
    const unit = this.next()
    this.codes.add(id, unit)
    this.plain.add(id, unit)
  }

  remove(id: number) {
    expect(this.codes.remove(id) !== undefined).toBe(this.plain.vectors.has(id))
    this.plain.remove(id)
  }

  seal() {
    this.codes.seal()
    for (const id of this.plain.vectors.keys()) {
      if (this.plain.spaces.get(id) === 'linear') this.plain.spaces.set(id, 'preindex')
    }
  }

  arrange(missing: number) {
    const { index, assignment } = anyIndex(this.dimension, this.plain, this.next, missing)
    this.arranging = this.codes.arrange(index, assignment)
    this.step()
  }

  step() {
    if (this.arranging?.next().done) this.arranging = undefined
    this.#readSpaces()
  }

  abandon() {
    this.arranging?.return(undefined)
    this.arranging = undefined
    this.#readSpaces()
    expect(this.codes.counts().indexed === 0 || this.codes.scan(this.next(), { wanted: 1 }).withIndex).toBe(
      true,
    )
  }

  forget() {
    this.codes.forgetIndex()
    for (const id of this.plain.vectors.keys()) this.plain.spaces.set(id, 'linear')
  }

  /** An arrangement may move rows between two spaces, but not into or out of `linear`. */
  #readSpaces() {
    for (const [id, space] of this.plain.spaces) {
      const now = this.codes.space(id)!
      expect(now === 'linear').toBe(space === 'linear')
      this.plain.spaces.set(id, now)
    }
  }

  compare(limit: number) {
    const { codes, plain } = this
    const probe = this.next()
    const bounds = { limit, minScore: limit % 3 === 0 ? 0.2 : -1 }
    expect(codes.size).toBe(plain.vectors.size)
    expect(codes.counts()).toEqual(plain.counts())
    // An index of so few rows reads all lists.
    expect(plain.searchCodes(codes, probe, bounds)).toEqual(plain.search(probe, bounds))
    expect(plain.searchCodes(codes, probe, bounds, { linearOnly: true })).toEqual(
      plain.search(probe, bounds, space => space === 'linear'),
    )
    const scanned = codes.scan(probe, { wanted: limit })
    if (this.arranging) expect(scanned.withIndex).toBe(false)
    for (const { id, score, error } of scanned.candidates) {
      expect(Math.abs(plain.score(probe, id) - score)).toBeLessThanOrEqual(error)
      expect(error).toBeLessThanOrEqual(scanned.error)
    }
  }
}

const id = fc.nat(60)
const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ what: fc.constant('add' as const), n: id }) },
    { weight: 5, arbitrary: fc.record({ what: fc.constant('remove' as const), n: id }) },
    { weight: 2, arbitrary: fc.record({ what: fc.constant('many' as const), n: fc.nat(250) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        what: fc.constantFrom('seal', 'arrange', 'step', 'step', 'finish', 'abandon', 'forget', 'slices'),
        n: fc.nat(6),
      }),
    },
  ),
  { maxLength: 40 },
)

function take(pair: Pair, what: string, n: number) {
  if (what === 'add') pair.add(n)
  else if (what === 'remove') pair.remove(n)
  else if (what === 'many') for (let i = 0; i < n; i++) pair.add(100 + ((i * 7) % 900))
  else if (what === 'seal') pair.seal()
  else if (what === 'arrange') pair.arrange(n)
  else if (what === 'step') pair.step()
  else if (what === 'finish') while (pair.arranging) pair.step()
  else if (what === 'abandon') pair.abandon()
  else if (what === 'forget') pair.forget()
  else {
    const ids = [...pair.codes.slices(n + 1)].flatMap(slice => [...slice.ids])
    const waiting = [...pair.plain.spaces].filter(([, space]) => space !== 'linear').map(([id]) => id)
    expect(ids.sort((a, b) => a - b)).toEqual(waiting.sort((a, b) => a - b))
  }
}

describe('CodeGallery', { tags: 'long' }, () => {
  it('answers like a plain gallery after every step, and leaves only zeros after its release', async () => {
    await fc.assert(
      fc.asyncProperty(dimensions, kinds, fc.nat(), steps, async (dimension, kind, seed, taken) => {
        const own = await openCodeMemory()
        const pair = new Pair(dimension, unitVectors(dimension, kind, seed), own)
        for (const [i, { what, n }] of taken.entries()) {
          take(pair, what, n)
          pair.compare(1 + (i % 12))
        }
        expect([...pair.codes.ids()].sort((a, b) => a - b)).toEqual(
          [...pair.plain.vectors.keys()].sort((a, b) => a - b),
        )
        pair.codes.release()
        const left = Buffer.from(own.bytes.buffer, SCRATCH_BYTES)
        expect(left.equals(Buffer.alloc(left.length))).toBe(true)
      }),
      { numRuns: 6 },
    )
  })

  it('refuses a row without memory for it, and changes nothing', async () => {
    const full = await openCodeMemory()
    const grow = vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
      throw new RangeError()
    })
    onTestFinished(() => grow.mockRestore())
    const codes = new CodeGallery(full, 4096)
    const unit = unitVectors(4096, 'even', 8)()
    codes.add(1, unit)
    for (let order = GREATEST_ORDER; order > GREATEST_ORDER - 6; order--)
      expect(() => {
        for (;;) full.take(order)
      }).toThrow(StoreUnavailable)
    let id = 2
    expect(() => {
      for (; ; id++) codes.add(id, unit)
    }).toThrow(StoreUnavailable)
    expect([codes.size, codes.has(id), codes.has(id - 1)]).toEqual([id - 1, false, true])
    codes.remove(1)
    codes.add(id, unit)
    expect(codes.has(id)).toBe(true)
  })
})
