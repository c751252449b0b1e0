/** What pictures are kept in, a folder or a bucket: bytes by path. */

/** A path is like `owner/0f/271.thumbnail.jpg`, in a folder and in a bucket alike. */
export interface NewObject {
  path: string
  bytes: Uint8Array
  /** What it is to a reader who knows nothing of us, such as image/png. */
  type: string
}

export interface Objects {
  /** Rejects with PicturesUnavailable when it is known that nothing can be written or removed now. */
  reach(): Promise<void>
  /** Durable when it resolves. May leave some when it rejects, but nothing is under way by then. */
  write(objects: readonly NewObject[]): Promise<void>
  /** Undefined when there is none. */
  read(path: string): Promise<Uint8Array<ArrayBuffer> | undefined>
  has(path: string): Promise<boolean>
  /** Says how many were there, or may have been: a bucket does not tell. */
  remove(paths: readonly string[]): Promise<number>
  /** Removes all in a folder. */
  removeBelow(folder: string): Promise<void>
  /** All paths there are, in no order. What lies there and is not ours may be among them. */
  list(): AsyncIterable<string>
  close(): void
}

/** Pictures can't be had or kept now; `cause` says why. What was asked for may be done all the same, and later. */
export class PicturesUnavailable extends Error {
  override readonly name = 'PicturesUnavailable'

  constructor(options?: ErrorOptions) {
    super('The bucket of the pictures is away.', options)
  }
}

/** Where pictures are can't be obeyed; the message tells the operator why, and what to do. */
export class PicturesRefused extends Error {
  override readonly name = 'PicturesRefused'
}

/**
 * Does the work with each item, so many at a time. When one fails no more are begun, and it is waited for those under way,
 * so that nothing is still being written once the caller clears up.
 */
export async function eachAtOnce<Item>(
  count: number,
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = drawn(items)
  const workers = Array.from({ length: count }, async () => {
    // Whoever leaves this loop by an error ends it for all: they share what is left.
    for await (const item of left) await work(item)
  })
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

async function* drawn<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncGenerator<Item> {
  yield* items
}
