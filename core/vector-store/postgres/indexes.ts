/** When indexes of galleries are made: on request, and by themselves above a number of vectors. */
import type { IndexState } from '../vector-store.ts'
import type { IndexType } from './address.ts'
import type { Connections } from './connections.ts'
import { type GalleryRecord, galleryNamed, leftPartitions, partition } from './galleries.ts'
import { makeIndex, typeFor } from './make-index.ts'

/** How long nothing is tried again by itself after a failure, and where somebody else is at work. */
const RETRY_MS = 60_000

export interface IndexesSettings {
  type: IndexType
  indexAbove: number
}

export class PostgresIndexes {
  readonly #settings: IndexesSettings
  /** Names of galleries whose index is being made, or will be. */
  readonly #making = new Set<string>()
  #made: Promise<void> = Promise.resolve()
  readonly #restsSince = new Map<string, number>()
  readonly #end = new AbortController()

  constructor(settings: IndexesSettings) {
    this.#settings = settings
  }

  /** Begins to make the indexes that are due. */
  consider(connections: Connections, galleries: readonly GalleryRecord[]): void {
    for (const gallery of galleries) {
      const due = gallery.indexName === null && gallery.vectors > this.#settings.indexAbove
      const rests = this.#restsSince.get(gallery.name)
      if (due && (rests === undefined || Date.now() - rests > RETRY_MS)) this.#make(connections, gallery)
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

  /** Lets go of partitions that galleries had which are gone. */
  async sweep(connections: Connections): Promise<void> {
    const places = await connections.read(leftPartitions)
    this.leave(connections, places)
  }

  /** Lets go of these partitions, which no gallery has any more. */
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
    await this.#made
  }

  /** One after the other. False when there can be none of such vectors. */
  #make(connections: Connections, gallery: GalleryRecord): boolean {
    const type = typeFor(gallery.dimension, this.#settings.type)
    const { name } = gallery
    if (type === undefined || this.#making.has(name)) return type !== undefined
    this.#making.add(name)
    this.#made = this.#made.then(async () => {
      const made =
        !this.#end.signal.aborted &&
        (await makeIndex(connections, gallery, type, this.#end.signal).catch(() => false))
      if (made) this.#restsSince.delete(name)
      else this.#restsSince.set(name, Date.now())
      this.#making.delete(name)
    })
    return true
  }
}
