/** Imports vectors from a portable file: verifies the whole file, then adds the vectors that are missing. */
import { sameBits, storedVectors } from '../stored-vectors.ts'
import type { VectorEntry, VectorStore } from '../vector-store.ts'
import { headerAt, lineAt, Tally, TransferRefused, wholeLines } from './lines.ts'

/** Counts of an import. */
interface Imported {
  added: number
  /** Vectors that were already stored, bit for bit: an interrupted import is simply repeated. */
  present: number
  /** Ids of another stored vector, which stays. */
  taken: number
}

/** Vectors per batch. */
const BATCH = 500

/**
 * Verifies the whole file, and resolves with the number of its vectors. Throws TransferRefused when a line is damaged,
 * when lines or the end are missing, and when another embedder made the vectors.
 */
export async function checkExport(file: string, embedder: string): Promise<number> {
  const tally = new Tally()
  let whole = false
  for await (const { text, number } of wholeLines(file)) {
    if (whole) throw new TransferRefused(`${file} continues after its end.`)
    if (number === 1) requireEmbedder(headerAt(text).embedder, embedder)
    else {
      const line = lineAt(text, number)
      if ('end' in line) {
        whole = line.vectors === tally.vectors && line.sum === tally.sum
        if (!whole) throw new TransferRefused(`${file} lacks vectors that it once had.`)
      } else tally.take(text)
    }
  }
  if (!whole) throw new TransferRefused(`${file} is not a whole export.`)
  return tally.vectors
}

function requireEmbedder(fileEmbedder: string, ownEmbedder: string) {
  if (fileEmbedder !== ownEmbedder)
    throw new TransferRefused(
      `The file holds vectors of ${fileEmbedder}; this service has vectors of ${ownEmbedder}.`,
    )
}

/** Adds the vectors of a file that passed checkExport; durable when it resolves. */
export async function importVectors(
  store: VectorStore,
  file: string,
  onProgress?: (done: number) => void,
): Promise<Imported> {
  const imported: Imported = { added: 0, present: 0, taken: 0 }
  for await (const batch of batches(file)) {
    await addBatch(store, batch, imported)
    onProgress?.(imported.added + imported.present + imported.taken)
  }
  return imported
}

/** The file's vectors in batches, each of one gallery. */
async function* batches(file: string): AsyncIterable<VectorEntry[]> {
  let batch: VectorEntry[] = []
  for await (const { text, number } of wholeLines(file)) {
    if (number === 1) continue
    const read = lineAt(text, number)
    if ('end' in read) break
    if (batch.length === BATCH || (batch[0] && batch[0].gallery !== read.gallery)) {
      yield batch
      batch = []
    }
    batch.push(read)
  }
  if (batch.length > 0) yield batch
}

/** Adds the vectors of one gallery that the store does not have. Counts known vectors. */
async function addBatch(store: VectorStore, batch: readonly VectorEntry[], imported: Imported) {
  // The ids of a batch rise.
  const existing = await storedVectors(store, batch[0]!.gallery, batch[0]!.id, batch.at(-1)!.id + 1)
  const fresh = batch.filter(({ id }) => !existing.has(id))
  if (fresh.length > 0) await store.add(fresh)
  imported.added += fresh.length
  for (const { id, vector } of batch) {
    const other = existing.get(id)
    if (other) imported[sameBits(vector, other) ? 'present' : 'taken']++
  }
}
