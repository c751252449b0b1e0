/** Schedules the builds of indexes: on request, and automatically above a number of vectors. */
import type { IndexState } from '../vector-store.ts'
import type { IndexType } from './address.ts'
import type { Connections } from './connections.ts'
import { type GalleryRecord, galleryNamed, leftPartitions, partition } from './galleries.ts'
import { makeIndex, typeFor } from './make-index.ts'

/** Time in milliseconds without an automatic build after a failure, or while another core builds. */
const RETRY_MS = 60_000

export interface IndexesSettings {
  type: IndexType
  indexAbove: number
}

export class PostgresIndexes {
  readonly #settings: IndexesSettings
  /** Names of galleries whose index is queued or being built. */
  readonly #making = new Set<string>()
  #queue: Promise<void> = Promise.resolve()
  readonly #failedAt = new Map<string, number>()
  readonly #closing = new AbortController()

  constructor(settings: IndexesSettings) {
    this.#settings = settings
  }

  /** Queues the builds that are due. */
  consider(connections: Connections, galleries: readonly GalleryRecord[]): void {
    for (const gallery of galleries) {
      const due = gallery.indexName === null && gallery.vectors > this.#settings.indexAbove
      const failedAt = this.#failedAt.get(gallery.name)
      if (due && (failedAt === undefined || Date.now() - failedAt > RETRY_MS))
        this.#make(connections, gallery)
    }
  }

  /** Queues a new build of the gallery's index; undefined when the gallery is unknown. */
  async start(connections: Connections, name: string): Promise<IndexState | undefined> {
    const gallery = await connections.read(sql => galleryNamed(sql, name))
    if (!gallery) return undefined
    if (!this.#make(connections, gallery)) return { state: 'failed', progress: 1 }
    return { state: 'building', progress: 0 }
  }

  isMaking(name: string): boolean {
    return this.#making.has(name)
  }

  /** Drops the partitions of removed galleries. */
  async sweep(connections: Connections): Promise<void> {
    const places = await connections.read(leftPartitions)
    this.leave(connections, places)
  }

  /** Drops these partitions, which no gallery uses. */
  leave(connections: Connections, places: readonly number[]): void {
    for (const place of places) {
      void connections
        .alone(this.#closing.signal, async sql => {
          await sql(`alter table vectors detach partition ${partition(place)} concurrently`)
          await sql(`drop table ${partition(place)}`)
        })
        .catch(() => {})
    }
  }

  /** Aborts builds in progress. They start again when they are due. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#queue
  }

  /** Queues a build. Builds run one after the other. Returns false when the database cannot index these vectors. */
  #make(connections: Connections, gallery: GalleryRecord): boolean {
    const type = typeFor(gallery.dimension, this.#settings.type)
    const { name } = gallery
    if (type === undefined || this.#making.has(name)) return type !== undefined
    this.#making.add(name)
    this.#queue = this.#queue.then(async () => {
      const made =
        !this.#closing.signal.aborted &&
        (await makeIndex(connections, gallery, type, this.#closing.signal).catch(() => false))
      if (made) this.#failedAt.delete(name)
      else this.#failedAt.set(name, Date.now())
      this.#making.delete(name)
    })
    return true
  }
}
