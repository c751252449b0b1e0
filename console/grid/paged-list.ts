/** A list of any length in pages of the API. It loads the pages that are shown, and forgets those far from them. */

import type { Pages } from '../../clients/typescript/src/index.ts'

/** A list of the client in descending order of ids, asked for a page of the items with ids below `max_id`. */
export type AskedList<T> = (
  asked: { pageSize: number; max_id: number | undefined },
  options: { signal: AbortSignal },
) => Pages<T> | Promise<Pages<T>>

/** Items per request: a few screens of them. */
export const ITEMS_PER_PAGE = 60

/** Pages without a shown entry that are loaded in sequence. Then the list waits until the visitor scrolls. */
const EMPTY_PAGES = 5

interface KnownPage<T> {
  after: number | undefined
  /** Number of its items, when it was loaded last. */
  count: number
  items: T[] | undefined
}

const pageAfter = (after: number | undefined) => ({ after, count: 0, items: undefined })

/** Pages on each side of the shown ones that stay in memory. */
const KEPT_PAGES = 2

export class PagedList<T extends { id: number }> {
  readonly #list: AskedList<T>
  readonly #isHidden: (item: T) => boolean
  readonly #aborter = new AbortController()
  #pages: KnownPage<T>[] = []
  #next: KnownPage<T> | undefined = pageAfter(undefined)
  #shown: readonly [number, number] = [0, 0]
  #running: Promise<boolean> | undefined

  /** Pixels of its grid above the window, when it was measured last. */
  top: number | undefined

  /** The list leaves out items that are hidden. It has the length and the place of `before`, and loads the items again. */
  constructor(list: AskedList<T>, isHidden: (item: T) => boolean = () => false, before?: PagedList<T>) {
    this.#list = list
    this.#isHidden = isHidden
    if (!before) return
    this.#pages = before.#pages.map(page => ({ ...page, items: undefined }))
    this.#next = before.#next
    this.top = before.top
  }

  /** Number of items known so far. */
  get length(): number {
    return this.#pages.reduce((sum, { count }) => sum + count, 0)
  }

  /** True when `length` is the length of the whole list. */
  get isComplete(): boolean {
    return this.#next === undefined
  }

  /** Number of items in memory. */
  get loaded(): number {
    return this.#pages.reduce((sum, { items }) => sum + (items?.length ?? 0), 0)
  }

  /** The item at a place; undefined while its page is not in memory. */
  at(index: number): T | undefined {
    let first = 0
    for (const { count, items } of this.#pages) {
      if (index < first + count) return items?.[index - first]
      first += count
    }
    return undefined
  }

  /**
   * Loads the items of the places from `first` to `last`. Resolves with true if anything changed. Calls during a load change
   * the places that the load serves. Rejects when a page cannot be loaded.
   */
  show(first: number, last: number): Promise<boolean> {
    this.#shown = [first, last]
    this.#running ??= this.#loadShown().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Ends all loads, and forgets the items. */
  close(): void {
    this.#aborter.abort()
    for (const page of this.#pages) page.items = undefined
  }

  /** Removes items. */
  remove(ids: ReadonlySet<number>): void {
    for (const page of this.#pages) {
      if (!page.items) continue
      page.items = page.items.filter(({ id }) => !ids.has(id))
      page.count = page.items.length
    }
  }

  /** Replaces an item by its changed form. */
  replace(item: T): void {
    for (const page of this.#pages)
      if (page.items) page.items = page.items.map(one => (one.id === item.id ? item : one))
  }

  async #loadShown() {
    let hasChanged = false
    let empty = 0
    for (let missing = this.#missing(); missing && empty < EMPTY_PAGES; missing = this.#missing()) {
      const loaded = await this.#load(missing.after)
      hasChanged = true
      if (missing === this.#next) {
        this.#pages.push(missing)
        this.#next = loaded.length < ITEMS_PER_PAGE ? undefined : pageAfter(loaded.at(-1)!.id)
      }
      this.#renew(missing, loaded)
      empty = missing.count === 0 ? empty + 1 : 0
      this.#forget()
    }
    return hasChanged
  }

  /** Replaces the items of a known page. The pages behind it are forgotten when others have come between. */
  #renew(page: KnownPage<T>, loaded: T[]) {
    const i = this.#pages.indexOf(page)
    const { after = 0 } = this.#pages[i + 1] ?? this.#next ?? {}
    const last = loaded.at(-1)?.id ?? 0
    if (loaded.length === ITEMS_PER_PAGE && last > after) {
      this.#pages.length = i + 1
      this.#next = pageAfter(last)
    }
    page.items = loaded.filter(item => item.id >= after && !this.#isHidden(item))
    page.count = page.items.length
  }

  async #load(max_id: number | undefined): Promise<T[]> {
    const { signal } = this.#aborter
    const list = await this.#list({ pageSize: ITEMS_PER_PAGE, max_id }, { signal })
    return (await list.pages().next()).value ?? []
  }

  /** The first page that the shown places need and that is not in memory. */
  #missing(): KnownPage<T> | undefined {
    const [first, last] = this.#shown
    const known = this.#pagesIn(first, last).find(({ items }) => items === undefined)
    return known ?? (last >= this.length ? this.#next : undefined)
  }

  #pagesIn(first: number, last: number): KnownPage<T>[] {
    let start = 0
    return this.#pages.filter(({ count }) => {
      const end = start + count
      const isShown = start <= last && end > first
      start = end
      return isShown
    })
  }

  /** Forgets the items of pages far from the shown ones. */
  #forget() {
    const shown = this.#pagesIn(...this.#shown).map(page => this.#pages.indexOf(page))
    const [low, high] = [shown[0] ?? this.#pages.length - 1, shown.at(-1) ?? this.#pages.length - 1]
    for (const [i, page] of this.#pages.entries())
      if (i < low - KEPT_PAGES || i > high + KEPT_PAGES) page.items = undefined
  }
}
