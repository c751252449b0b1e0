/** A new process that opens a store, executes its task, and reports its memory. */
import { setTimeout as wait } from 'node:timers/promises'
import { openVectorStore } from '#core/vector-store/open.ts'
import { respond, task } from './child.ts'
import { addRows, madeIndex, NO_INDEX_BY_ITSELF } from './fill.ts'
import { readRows } from './rows-file.ts'

export interface MemoryTask {
  folder: string
  dimension: number
  /** A file of rows to add. */
  rows?: string | undefined
  /** Faces per gallery. */
  perGallery: number
  /** Builds an index of the first gallery. */
  index?: boolean | undefined
}

export interface MemoryAnswer {
  residentMb: number
  /** Peak memory. */
  peakMb: number
}

/** Searches before the measurement, whose memory is part of the result. */
const SEARCHES = 20

/** Milliseconds to wait until unused memory is freed. */
const SETTLE_MS = 3_000

const { folder, dimension, rows, perGallery, index } = task<MemoryTask>()
const galleryOf = (id: number) => `gallery_${Math.floor(id / perGallery)}`
const store = await openVectorStore(folder, { indexAbove: NO_INDEX_BY_ITSELF })
if (rows !== undefined) {
  let first = 0
  for await (const piece of readRows(rows, dimension)) {
    await addRows(store, galleryOf, first, piece, dimension)
    first += piece.length / dimension
  }
}
if (index) await madeIndex(store, galleryOf(0))
for (let i = 0; i < SEARCHES; i++) {
  const probe = Float32Array.from({ length: dimension }, (_, at) => Math.sin(at * (i + 1)))
  await store.search(galleryOf(0), probe, { limit: 10, minScore: -1 })
}
await wait(SETTLE_MS)
const answer: MemoryAnswer = {
  residentMb: process.memoryUsage.rss() / 2 ** 20,
  peakMb: process.resourceUsage().maxRSS / 1024,
}
await store.close()
respond(answer)
