/** Moves the vectors of a stopped store to other shards: copies and verifies each one, then switches at once. */
import { lockFolder } from './folder-lock.ts'
import { prepareNext, recordedGeneration, removeEarlier, removeNext } from './generation.ts'
import { openShards, openVectorStore, type StoreSettings } from './open.ts'
import { finishMove, readMove, recordMove } from './pending-move.ts'
import { type Layout, recordedLayout, sameLayout, sharesStorage } from './sharding/layout.ts'
import { sameBits, storedVectors } from './stored-vectors.ts'
import { LayoutRefused, type VectorEntry, type VectorKey, type VectorStore } from './vector-store.ts'

interface MoveSettings extends StoreSettings {
  /** Called after each page with the number of vectors so far, while they are copied and again while they are verified. */
  onProgress?: (step: 'copy' | 'verify', done: number, total: number) => void
}

/** Vectors per page. */
const VECTORS_PER_PAGE = 500

/** No index is built during a move: it would slow down the additions. */
const NO_INDEX = { indexAbove: Number.MAX_SAFE_INTEGER }

/**
 * Moves all vectors to the shards of `target`. Resolves with their number when the folder names the new shards, and with undefined
 * when they are there already. An interrupted move changes nothing that is served: repeat it with the same target, also after a run
 * of the service. Vectors in a database stay there. Throws VectorFileLocked while the service runs, LayoutRefused when the target
 * cannot be used, and StoreUnavailable.
 */
export async function moveStore(
  folder: string,
  target: Layout,
  settings: MoveSettings = {},
): Promise<number | undefined> {
  await switchShards(folder)
  const shards = await sourceOf(folder, target, settings)
  if (!shards) return undefined
  const source = await openVectorStore(folder, { ...settings, ...NO_INDEX, shards, keepNext: true })
  const moved = await copyTo(folder, source, target, settings).finally(() => source.close())
  await switchShards(folder)
  return moved
}

/** Finishes a move whose vectors are verified, and removes the shards of this folder that it leaves. */
async function switchShards(folder: string) {
  const lock = lockFolder(folder)
  try {
    await finishMove(folder)
    await removeEarlier(folder)
  } finally {
    lock.release()
  }
}

/** The present shards, with the passwords of the operator's list; undefined when they are the target. */
async function sourceOf(
  folder: string,
  target: Layout,
  { shards }: MoveSettings,
): Promise<Layout | undefined> {
  const recorded = await recordedLayout(folder)
  if (!recorded) throw new LayoutRefused(`${folder} has no vectors to move.`)
  if (sameLayout(recorded, target)) return undefined
  if (sharesStorage(recorded, target))
    throw new LayoutRefused(
      'The new shards have a database of the present ones. Name another schema, or move by way of another place.',
    )
  return shards && sameLayout(recorded, shards) ? shards : recorded
}

async function copyTo(folder: string, source: VectorStore, target: Layout, settings: MoveSettings) {
  const begun = await readMove(folder)
  const resumes = begun !== undefined && sameLayout(begun.shards, target)
  if (!resumes) await removeNext(folder)
  const { embedder } = (await recordedGeneration(folder)) ?? {}
  if (embedder === undefined)
    throw new LayoutRefused(`${folder} has no generation.json: start the service with it once, then stop it.`)
  const generation = await prepareNext(folder, embedder)
  const copy = await openShards(folder, target, { ...settings, ...NO_INDEX }, generation.number)
  try {
    if (!resumes && (await copy.galleries()).length > 0)
      throw new LayoutRefused(
        'The new shards have vectors already. Name another schema or database, or remove them.',
      )
    await recordMove(folder, { shards: target, generation, verified: false })
    const moved = await copyAll(source, copy, settings)
    await recordMove(folder, { shards: target, generation, verified: true })
    return moved
  } finally {
    await copy.close()
  }
}

/** Makes the copy equal to the source, and compares every vector again. Resolves with their number. */
async function copyAll(source: VectorStore, copy: VectorStore, { onProgress }: MoveSettings) {
  const galleries = await source.galleries()
  const total = galleries.reduce((sum, { linear, preindex, indexed }) => sum + linear + preindex + indexed, 0)
  const names = new Set([...galleries, ...(await copy.galleries())].map(({ gallery }) => gallery))
  let done = 0
  for (const gallery of names) {
    for await (const { vectors, missing, surplus } of differences(source, copy, gallery)) {
      if (surplus.length > 0) await copy.remove(surplus)
      if (missing.length > 0) await copy.add(missing)
      done += vectors
      onProgress?.('copy', done, total)
    }
  }
  done = 0
  for (const gallery of names) {
    for await (const { vectors, missing, surplus } of differences(source, copy, gallery)) {
      if (missing.length + surplus.length > 0)
        throw new Error(`The copy of the gallery ${gallery} differs from it. Repeat the move.`)
      done += vectors
      onProgress?.('verify', done, total)
    }
  }
  return done
}

interface Difference {
  /** Number of compared vectors of the source. */
  vectors: number
  /** Entries that the copy lacks, or has with another vector. */
  missing: VectorEntry[]
  /** Keys of the copy that the source lacks, or has with another vector. */
  surplus: VectorKey[]
}

/** The differences of a gallery in both stores, page by page. */
async function* differences(
  source: VectorStore,
  copy: VectorStore,
  gallery: string,
): AsyncGenerator<Difference> {
  for (let from: number | undefined = 0; from !== undefined; ) {
    const page = await source.list(gallery, from, VECTORS_PER_PAGE)
    const copied = await storedVectors(copy, gallery, from, page.next ?? Number.POSITIVE_INFINITY)
    const missing = page.vectors.filter(({ id, vector }) => {
      const other = copied.get(id)
      return !other || !sameBits(other, vector)
    })
    const kept = new Set(page.vectors.map(({ id }) => id))
    for (const { id } of missing) kept.delete(id)
    yield {
      vectors: page.vectors.length,
      missing: missing.map(({ id, vector }) => ({ gallery, id, vector })),
      surplus: [...copied.keys()].filter(id => !kept.has(id)).map(id => ({ gallery, id })),
    }
    from = page.next
  }
}
