/** Our search engine alone: codes, index and vectors in one thread as in a shard, without files and messages. */
import { CodeGallery } from '#core/vector-store/codes/code-gallery.ts'
import { openCodeMemory } from '#core/vector-store/codes/code-memory.ts'
import { exactBest } from '#core/vector-store/codes/exact-best.ts'
import { indexKind } from '#core/vector-store/index/index-kind.ts'
import type { CodeSlice } from '#core/vector-store/index/slices.ts'
import { type Contestant, type HeldFaces, LIMIT, type Made, type Peer, timed } from './contestant.ts'

/** Rows per copied slice of codes. */
const SLICE_ROWS = 65_536

/** The same codes serve both kinds of search: exact, and with the index. */
export async function openEngine(held: HeldFaces): Promise<Peer> {
  const gallery = new CodeGallery(await openCodeMemory(), held.dimension)
  const coded = await timed(() => {
    for (let row = 0; row < held.count; row++) gallery.add(row, rowAt(held, row))
  })
  const indexed = await timed(() => makeIndex(gallery))
  return {
    contestants: [
      contestant(held, gallery, { name: 'exact, our engine', made: coded, exact: true }),
      contestant(held, gallery, { name: 'indexed, our engine', made: indexed, exact: false }),
    ],
  }
}

const rowAt = ({ rows, dimension }: HeldFaces, row: number): Float32Array =>
  rows.subarray(row * dimension, (row + 1) * dimension)

const contestant = (
  held: HeldFaces,
  gallery: CodeGallery,
  { name, made, exact }: { name: string; made: Made; exact: boolean },
): Contestant => ({
  name,
  made,
  search(probe) {
    const candidates = exactBest(
      probe,
      { limit: LIMIT, minScore: -1 },
      (wanted, minScore) => gallery.scan(probe, { wanted, minScore, exact }),
      ids => ids.map(id => rowAt(held, id)),
    )
    return candidates.map(({ id }) => id)
  },
})

async function makeIndex(gallery: CodeGallery): Promise<void> {
  gallery.seal()
  const trainer = await indexKind.openTrainer(gallery.dimension)
  const lists = indexKind.listsFor(gallery.size)
  const every = Math.max(1, Math.floor(gallery.size / (lists * indexKind.samplePerList)))
  const model = trainer.train(joined([...gallery.slices(SLICE_ROWS, every)]), lists)
  const ids = new Float64Array(gallery.size)
  const assigned = new Uint32Array(gallery.size)
  let at = 0
  for (const slice of gallery.slices(SLICE_ROWS)) {
    ids.set(slice.ids, at)
    assigned.set(trainer.assign(slice), at)
    at += slice.ids.length
  }
  for (const _ of gallery.arrange({ model, lists }, { ids, lists: assigned })) {
    // Nothing else waits for this thread.
  }
}

function joined(slices: readonly CodeSlice[]): CodeSlice {
  const rows = slices.reduce((sum, { ids }) => sum + ids.length, 0)
  const bytes = slices.reduce((sum, { codes }) => sum + codes.length, 0)
  const all = { ids: new Float64Array(rows), codes: new Uint8Array(bytes), scales: new Float32Array(rows) }
  let [row, byte] = [0, 0]
  for (const { ids, codes, scales } of slices) {
    all.ids.set(ids, row)
    all.scales.set(scales, row)
    all.codes.set(codes, byte)
    row += ids.length
    byte += codes.length
  }
  return all
}
