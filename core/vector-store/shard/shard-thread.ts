/** A shard in its own worker thread: sends requests as messages, and restarts the thread when it dies. */
import { Worker } from 'node:worker_threads'
import { sleep } from '../../../contract/environment.ts'
import { MODULE_EXTENSION } from '../../files/program-form.ts'
import {
  type Found,
  type GalleryStatistics,
  type IndexState,
  type SearchBounds,
  type ShardState,
  StoreUnavailable,
  type VectorEntry,
  type VectorKey,
  type VectorPage,
  type VectorStore,
} from '../vector-store.ts'
import {
  type Arguments,
  buffersOf,
  errorOf,
  type Result,
  type ShardRequest,
  type ShardResponse,
  type ThreadSetup,
  type Verb,
} from './shard-messages.ts'
import type { Damage, ShardSettings } from './shard-settings.ts'

/** Delay before the restart of a dead thread, in milliseconds. It doubles until the shard opens. */
const FIRST_RESTART_MS = 100
const LONGEST_RESTART_MS = 30_000

/**
 * Young generation of the thread's heap. Long-lived data is outside of the heap: a larger one would only collect
 * garbage.
 */
const YOUNG_GENERATION_MB = 2

/**
 * Opens the shard in this folder, or creates it. Resolves when the shard can be searched. The caller holds the folder's
 * lock (folder-lock.ts). Rejects with an error whose `code` is an SQLite code when the rows cannot be read.
 */
export async function openShardThread(folder: string, settings: ShardSettings = {}): Promise<VectorStore> {
  // Listed one by one, because functions cannot be sent to another thread.
  const { indexAbove, heapMegabytes, dataKey, onDamage = () => {} } = settings
  const thread = new ShardThread({ folder, indexAbove, heapMegabytes, dataKey }, onDamage)
  await thread.open()
  return thread
}

interface Pending {
  resolve(result: unknown): void
  reject(error: Error): void
}

class ShardThread implements VectorStore {
  readonly #setup: ThreadSetup
  readonly #onDamage: Damage
  readonly #pending = new Map<number, Pending>()
  /** Set while the shard is open. */
  #worker: Worker | undefined
  #lastNumber = 0
  #closing = false

  constructor(setup: ThreadSetup, onDamage: Damage) {
    this.#setup = setup
    this.#onDamage = onDamage
  }

  /** Starts the thread, and resolves when the shard is open in it. */
  open(): Promise<void> {
    const { heapMegabytes, ...workerData } = this.#setup
    const worker = new Worker(new URL(`./shard.worker${MODULE_EXTENSION}`, import.meta.url), {
      workerData,
      resourceLimits: {
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
        maxOldGenerationSizeMb: heapMegabytes,
      },
    })
    return new Promise((resolve, reject) => {
      worker.on('message', (answer: ShardResponse) => {
        if ('damage' in answer) this.#onDamage(answer.damage, answer.vectors)
        else if ('unopened' in answer) reject(errorOf(answer.unopened))
        else if ('opened' in answer) {
          if (this.#closing) void worker.terminate()
          else this.#worker = worker
          resolve()
        } else this.#onResponse(answer)
      })
      // The reason of the thread's death; `exit` follows.
      worker.on('error', reject)
      worker.on('exit', () => {
        reject(new StoreUnavailable('away'))
        if (this.#worker === worker) this.#onExit()
      })
    })
  }

  add(entries: readonly VectorEntry[], how?: { replaces?: boolean }): Promise<void> {
    // Copies: a transfer detaches buffers, which the caller may share with others.
    return this.#ask('add', [entries.map(entry => ({ ...entry, vector: entry.vector.slice() })), how])
  }

  remove(keys: readonly VectorKey[]): Promise<VectorKey[]> {
    return this.#ask('remove', [keys.map(({ gallery, id }) => ({ gallery, id }))])
  }

  async reach(): Promise<void> {
    if (!this.#worker) throw new StoreUnavailable('away')
  }

  get({ gallery, id }: VectorKey): Promise<Float32Array | undefined> {
    return this.#ask('get', [{ gallery, id }])
  }

  async search(gallery: string, probe: Float32Array, bounds: SearchBounds): Promise<Found> {
    if (!this.#worker) return { candidates: [], withIndex: false, live: 0, total: 1 }
    return this.#ask('search', [gallery, probe.slice(), bounds])
  }

  list(gallery: string, from: number, count: number): Promise<VectorPage> {
    return this.#ask('list', [gallery, from, count])
  }

  async *keys(): AsyncIterable<VectorKey> {
    for (const { gallery } of await this.galleries()) {
      for (const id of await this.#ask('ids', [gallery])) yield { gallery, id }
    }
  }

  galleries(): Promise<GalleryStatistics[]> {
    return this.#ask('galleries', [])
  }

  gallery(name: string): Promise<GalleryStatistics | undefined> {
    return this.#ask('gallery', [name])
  }

  startIndex(gallery: string): Promise<IndexState> {
    return this.#ask('startIndex', [gallery])
  }

  indexState(gallery: string): Promise<IndexState> {
    return this.#ask('indexState', [gallery])
  }

  states(): Promise<ShardState[]> {
    return this.#ask('states', []).catch(() => [{ isAvailable: false }])
  }

  /** Resolves after all earlier requests have a response. */
  async close(): Promise<void> {
    if (this.#closing) return
    this.#closing = true
    const worker = this.#worker
    if (!worker) return
    const ended = new Promise(resolve => worker.once('exit', resolve))
    await this.#send('close', []).catch(() => {})
    await ended
  }

  #ask<Asked extends Verb>(verb: Asked, args: Arguments<Asked>): Promise<Result<Asked>> {
    return this.#send(verb, args) as Promise<Result<Asked>>
  }

  #send(verb: ShardRequest['verb'], args: readonly unknown[]): Promise<unknown> {
    const worker = this.#worker
    if (!worker) return Promise.reject(new StoreUnavailable('away'))
    return new Promise((resolve, reject) => {
      const number = ++this.#lastNumber
      this.#pending.set(number, { resolve, reject })
      const request: ShardRequest = { number, verb, arguments: args }
      worker.postMessage(request, buffersOf(args))
    })
  }

  #onResponse(answer: Extract<ShardResponse, { number: number }>) {
    const pending = this.#pending.get(answer.number)
    this.#pending.delete(answer.number)
    if ('failure' in answer) pending?.reject(errorOf(answer.failure))
    else pending?.resolve(answer.result)
  }

  #onExit() {
    this.#worker = undefined
    for (const { reject } of this.#pending.values()) reject(new StoreUnavailable('away'))
    this.#pending.clear()
    if (!this.#closing) void this.#restart()
  }

  async #restart() {
    for (
      let delayMs = FIRST_RESTART_MS;
      !this.#closing;
      delayMs = Math.min(2 * delayMs, LONGEST_RESTART_MS)
    ) {
      await sleep(delayMs, { ref: false })
      if (this.#closing) return
      const opened = await this.open().then(
        () => true,
        () => false,
      )
      if (opened) return
    }
  }
}
