/** The exact store: every vector in memory and compared, over one durable file. */
import { MemoryGallery } from './memory-gallery.ts'
import {
  type Found,
  type GalleryStatistics,
  type IndexState,
  type SearchBounds,
  type VectorEntry,
  type VectorKey,
  type VectorPage,
  VectorRefused,
  type VectorStore,
} from './store.ts'
import { unitVector } from './unit-vector.ts'
import { openVectorFile, type VectorFile } from './vector-file.ts'

/** Opens the store in this file, and reads all of it into memory. Throws VectorFileLocked when it is in use. */
export function openExactStore(path: string): VectorStore {
  const file = openVectorFile(path)
  try {
    return new ExactStore(file)
  } catch (error) {
    file.close()
    throw error
  }
}

class ExactStore implements VectorStore {
  readonly #file: VectorFile
  readonly #galleries = new Map<string, MemoryGallery>()

  constructor(file: VectorFile) {
    this.#file = file
    for (const entry of file.rows()) this.#remember(entry, unitVector(entry.vector))
  }

  async add(entries: readonly VectorEntry[]): Promise<void> {
    const units = this.#unitsOf(entries)
    this.#file.insert(entries)
    for (const [i, entry] of entries.entries()) this.#remember(entry, units[i]!)
  }

  async remove(keys: readonly VectorKey[]): Promise<VectorKey[]> {
    const known = keys.filter(({ gallery, id }) => this.#galleries.get(gallery)?.has(id))
    if (known.length === 0) return []
    this.#file.remove(known)
    for (const { gallery, id } of known) {
      const members = this.#galleries.get(gallery)
      members?.remove(id)
      if (members?.size === 0) this.#galleries.delete(gallery)
    }
    return known
  }

  async reach(): Promise<void> {}

  async get({ gallery, id }: VectorKey): Promise<Float32Array | undefined> {
    return this.#galleries.get(gallery)?.has(id) ? this.#file.vector({ gallery, id }) : undefined
  }

  async search(gallery: string, probe: Float32Array, bounds: SearchBounds): Promise<Found> {
    const unit = unitVector(probe)
    const candidates = this.#galleries.get(gallery)?.search(unit, bounds) ?? []
    return { candidates, withIndex: false, live: 1, total: 1 }
  }

  async list(gallery: string, from: number, count: number): Promise<VectorPage> {
    const ids = (this.#galleries.get(gallery)?.ids() ?? []).filter(id => id >= from).sort((a, b) => a - b)
    const vectors = ids
      .slice(0, count)
      .map(id => ({ id, space: 'linear' as const, vector: this.#file.vector({ gallery, id })! }))
    return { vectors, next: ids[count] }
  }

  async galleries(): Promise<GalleryStatistics[]> {
    return [...this.#galleries]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, members]) => linear(name, members))
  }

  async gallery(name: string): Promise<GalleryStatistics | undefined> {
    const members = this.#galleries.get(name)
    return members && linear(name, members)
  }

  startIndex(): Promise<IndexState> {
    return this.indexState()
  }

  async indexState(): Promise<IndexState> {
    return { state: 'none', progress: 1 }
  }

  async *keys(): AsyncIterable<VectorKey> {
    for (const [gallery, members] of this.#galleries) {
      for (const id of [...members.ids()]) yield { gallery, id }
    }
  }

  async close(): Promise<void> {
    this.#file.close()
    this.#galleries.clear()
  }

  /** The unit vectors of entries that may all be added; throws before anything is written. */
  #unitsOf(entries: readonly VectorEntry[]): Float32Array[] {
    const dimensions = new Map<string, number>()
    const taken = new Set<string>()
    return entries.map(({ gallery, id, vector }) => {
      const members = this.#galleries.get(gallery)
      const key = `${gallery}/${id}`
      if (members?.has(id) || taken.has(key)) throw new VectorRefused('duplicate')
      taken.add(key)
      const dimension = members?.dimension ?? dimensions.get(gallery) ?? vector.length
      if (vector.length !== dimension) throw new VectorRefused('dimension')
      dimensions.set(gallery, dimension)
      return unitVector(vector)
    })
  }

  #remember({ gallery, id }: VectorKey, unit: Float32Array): void {
    let members = this.#galleries.get(gallery)
    if (!members) {
      members = new MemoryGallery(unit.length)
      this.#galleries.set(gallery, members)
    }
    members.add(id, unit)
  }
}

const linear = (gallery: string, { size }: MemoryGallery): GalleryStatistics => ({
  gallery,
  linear: size,
  preindex: 0,
  indexed: 0,
  preindexDeleted: 0,
  indexedDeleted: 0,
  indexFile: undefined,
  indexLoaded: false,
  indexHandle: 0,
})
