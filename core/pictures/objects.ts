/** The interface of picture storage, a folder or a bucket: bytes by path. */

/** An object to write. Folders and buckets use the same paths, for example `owner/0f/271.thumbnail.jpg`. */
export interface NewObject {
  path: string
  bytes: Uint8Array
  /** Media type of the stored bytes, for example image/png. */
  type: string
}

export interface Objects {
  /** Whether they take space on the disk of the data folder. */
  isLocal: boolean
  /** Rejects with PicturesUnavailable when writes and removals are known to fail now. */
  reach(): Promise<void>
  /** Writes objects; durable when it resolves. After a rejection some may be stored, but no write is in progress. */
  write(objects: readonly NewObject[]): Promise<void>
  /** Undefined when there is no object. */
  read(path: string): Promise<Uint8Array<ArrayBuffer> | undefined>
  has(path: string): Promise<boolean>
  /** Removes objects. Returns how many existed; a bucket counts each path. */
  remove(paths: readonly string[]): Promise<number>
  /** Removes all objects in a folder. */
  removeBelow(folder: string): Promise<void>
  /** All paths, or those in a folder, unordered. May include files that the service did not write. */
  list(folder?: string): AsyncIterable<string>
  close(): void
}

/** Pictures cannot be read or written now; `cause` states the reason. The request may still take effect, also later. */
export class PicturesUnavailable extends Error {
  override readonly name = 'PicturesUnavailable'

  constructor(options?: ErrorOptions) {
    super('The bucket of the pictures is away.', options)
  }
}

/** The place of the pictures cannot be used. The message states the reason and the remedy for the operator. */
export class PicturesRefused extends Error {
  override readonly name = 'PicturesRefused'
}

/**
 * Runs `work` on each item, at most `count` concurrently. After an error, no more items are started. The call rejects when the
 * items in progress have ended: the caller can then clean up safely.
 */
export async function eachAtOnce<Item>(
  count: number,
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const remaining = iterate(items)
  const workers = Array.from({ length: count }, async () => {
    // The workers share one iterator. An error in one loop closes the iterator for all.
    for await (const item of remaining) await work(item)
  })
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

async function* iterate<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncGenerator<Item> {
  yield* items
}
