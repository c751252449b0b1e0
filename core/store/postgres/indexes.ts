/** When indexes of galleries are made: on request, and by themselves above a number of vectors. */
import type { IndexState } from '../store.ts'
import type { IndexType } from './address.ts'
import type { Connections } from './connections.ts'
import { type GalleryRecord, galleryNamed, partition } from './galleries.ts'
import { makeIndex, typeFor } from './make-index.ts'

/** How long after a failure nothing is tried again by itself. */
const RETRY_MS = 60_000

export interface IndexesSettings {
  type: IndexType
  indexAbove: number
}

export class PostgresIndexes {
  readonly #settings: IndexesSettings
  readonly #making = new Map<string, Promise<void>>()
  readonly #failedAt = new Map<string, number>()
  readonly #end = new AbortController()

  constructor(settings: IndexesSettings) {
    this.#settings = settings
  }

  /** Begins to make the indexes that are due. */
  consider(connections: Connections, galleries: readonly GalleryRecord[]): void {
    for (const gallery of galleries) {
      const due = gallery.indexName === null && gallery.vectors > this.#settings.indexAbove
      const failed = this.#failedAt.get(gallery.name)
      if (due && (failed === undefined || Date.now() - failed > RETRY_MS)) this.#make(connections, gallery)
    }
  }

  /** Begins to make the gallery's index anew; undefined when it is unknown. */
  async start(connections: Connections, name: string): Promise<IndexState | undefined> {
    const gallery = await connections.read(sql => galleryNamed(sql, name))
    if (!gallery) return undefined
    if (!this.#make(connections, gallery)) return { state: 'failed', progress: 1 }
    return { state: 'building', progress: 0 }
  }

  isMaking(name: string): boolean {
    return this.#making.has(name)
  }

  /** Lets go of partitions that no gallery has any more. */
  leave(connections: Connections, places: readonly number[]): void {
    for (const place of places) {
      void connections
        .alone(this.#end.signal, async sql => {
          await sql(`alter table vectors detach partition ${partition(place)} concurrently`)
          await sql(`drop table ${partition(place)}`)
        })
        .catch(() => {})
    }
  }

  /** Gives up what is under way; it is begun again when it is due. */
  async close(): Promise<void> {
    this.#end.abort()
    await Promise.allSettled(this.#making.values())
  }

  /** False when there can be none of such vectors. */
  #make(connections: Connections, gallery: GalleryRecord): boolean {
    const type = typeFor(gallery.dimension, this.#settings.type)
    const { name } = gallery
    if (type === undefined || this.#making.has(name)) return type !== undefined
    const making = makeIndex(connections, gallery, type, this.#end.signal)
      .then(
        () => void this.#failedAt.delete(name),
        () => void this.#failedAt.set(name, Date.now()),
      )
      .finally(() => this.#making.delete(name))
    this.#making.set(name, making)
    return true
  }
}
