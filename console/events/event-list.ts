/** The events of the page: new ones on top of the pages of the history, and their filter. The memory is bounded. */
import type { EventFilter, Face, HistoryEvent, HistoryFilter } from '../../clients/typescript/src/index.ts'
import { type AskedList, PagedList } from '../grid/paged-list.ts'

/** An event of the history, or a live one, which has its picture. */
export type ShownEvent = HistoryEvent & Partial<Pick<Face, 'thumbnail' | 'updated'>>

/** New events in memory. The list loads the history again when there are more. */
const MOST_NEW = 300

/** Loaded events of the history among which a new event may be already. */
const LOOKED_THROUGH = 100

export class EventList {
  readonly history: PagedList<HistoryEvent>
  /** Ids of the loaded events of people to ignore, which are left out. */
  readonly folded = new Set<number>()
  #shown: ShownEvent[] = []
  #waiting: ShownEvent[] = []
  #waitingCount = 0
  /** Newest data of events whose picture was replaced by a better one. */
  readonly #updates = new Map<number, ShownEvent>()
  readonly #onFold: (() => void) | undefined

  /** `onFold` is called when an event is folded. Without it, none is. */
  constructor(loadHistory: AskedList<HistoryEvent>, onFold?: () => void) {
    this.#onFold = onFold
    this.history = new PagedList(loadHistory, event => this.#folds(event))
  }

  get length(): number {
    return this.#shown.length + this.history.length
  }

  /** Number of events that arrived and are not shown. */
  get waiting(): number {
    return this.#waitingCount
  }

  /** True when the list must be loaded again to show all events. */
  get isOverfull(): boolean {
    return this.#shown.length + this.#waitingCount > MOST_NEW
  }

  /** The event at a place from the newest; undefined while its page is not in memory. */
  at(index: number): ShownEvent | undefined {
    const { length } = this.#shown
    const event = index < length ? this.#shown[index] : this.history.at(index - length)
    return event && (this.#updates.get(event.id) ?? event)
  }

  /** True when `length` is the length of the whole list. */
  get isComplete(): boolean {
    return this.history.isComplete
  }

  /** Loads the events of the places from `first` to `last`; see PagedList. New events that the history has, too, are shown once. */
  async show(first: number, last: number): Promise<boolean> {
    const { length } = this.#shown
    const hasChanged = await this.history.show(Math.max(0, first - length), Math.max(0, last - length))
    if (hasChanged) this.#shown = this.#shown.filter(event => !this.#isInHistory(event))
    return hasChanged
  }

  /** Adds an event that has arrived: on top when `isShown`, else to the waiting events. An update replaces the data of a known event. */
  add(event: ShownEvent, isShown: boolean): void {
    if (event.updated) this.#updates.set(event.id, event)
    if (this.#updates.size > MOST_NEW) this.#updates.delete(this.#updates.keys().next().value!)
    if ([...this.#shown, ...this.#waiting].some(({ id }) => id === event.id) || this.#isInHistory(event))
      return
    if (this.#folds(event)) return
    if (isShown) this.#shown.unshift(event)
    else {
      this.#waitingCount++
      if (this.#waiting.length < MOST_NEW) this.#waiting.unshift(event)
    }
  }

  /** Shows the events that wait. Not for a list that is overfull. */
  showWaiting(): void {
    this.#shown.unshift(...this.#waiting)
    this.#waiting = []
    this.#waitingCount = 0
  }

  #folds({ id, silent }: ShownEvent) {
    const isFolded = silent === true && this.#onFold !== undefined
    if (isFolded) this.folded.add(id)
    else this.folded.delete(id)
    if (isFolded) this.#onFold?.()
    return isFolded
  }

  #isInHistory({ id }: ShownEvent) {
    const count = Math.min(this.history.length, LOOKED_THROUGH)
    return Array.from({ length: count }, (_, i) => this.history.at(i)?.id).includes(id)
  }
}

/** Values of the form. Empty texts are no condition. Times have the format of a field `datetime-local`. */
export interface ChosenEvents {
  camera: string
  person: string
  gallery: string
  friend: '' | 'true' | 'false'
  start: string
  end: string
}

export const ALL_EVENTS: ChosenEvents = {
  camera: '',
  person: '',
  gallery: '',
  friend: '',
  start: '',
  end: '',
}

const isTime = (text: string) => !Number.isNaN(Date.parse(text))

/** What each condition may be. Others in an address are no condition. */
const FORMS: Partial<Record<keyof ChosenEvents, (text: string) => boolean>> = {
  person: text => /^\d{1,16}$/.test(text),
  friend: text => text === 'true' || text === 'false',
  start: isTime,
  end: isTime,
}

/** The values of the form in the query of an address. */
export function readChosen(query: string): ChosenEvents {
  const fields = new URLSearchParams(query)
  const entries = (Object.keys(ALL_EVENTS) as (keyof ChosenEvents)[]).map(name => {
    const value = fields.get(name) ?? ''
    return [name, FORMS[name]?.(value) === false ? '' : value]
  })
  return Object.fromEntries(entries)
}

/** The query of an address with these values, and with the opened event. */
export const queryOf = (chosen: ChosenEvents, event?: number): string =>
  new URLSearchParams([
    ...Object.entries(chosen).filter(([, value]) => value !== ''),
    ...(event === undefined ? [] : [['event', String(event)]]),
  ] as [string, string][]).toString()

/** The id of the opened event in the query of an address. */
export const eventIn = (query: string): number | undefined => {
  const id = new URLSearchParams(query).get('event') ?? ''
  return /^\d{1,16}$/.test(id) ? Number(id) : undefined
}

export const isFiltered = (chosen: ChosenEvents): boolean => Object.values(chosen).some(value => value !== '')

/** Conditions of the history and of live events, apart from the times. */
export const liveFilter = ({ camera, person, gallery, friend }: ChosenEvents): EventFilter => ({
  ...(camera !== '' && { cam_ids: [camera] }),
  ...(person !== '' && { person_id: Number(person) }),
  ...(gallery !== '' && { gallery }),
  ...(friend !== '' && { friend: friend === 'true' }),
})

export const historyFilter = (chosen: ChosenEvents): HistoryFilter => ({
  ...liveFilter(chosen),
  ...(chosen.start !== '' && { start: new Date(chosen.start).toISOString() }),
  ...(chosen.end !== '' && { end: new Date(chosen.end).toISOString() }),
})

/** Whether an event lies within the chosen times. Times of the API are UTC without a zone. */
export function isWithin(
  { timestamp }: Pick<HistoryEvent, 'timestamp'>,
  { start, end }: ChosenEvents,
): boolean {
  const time = Date.parse(`${timestamp}Z`)
  return !(start !== '' && time < Date.parse(start)) && !(end !== '' && time > Date.parse(end))
}
