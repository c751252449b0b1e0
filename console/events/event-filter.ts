/** The filter of the page of events, as the API takes it. */
import type { EventFilter, HistoryEvent, HistoryFilter } from '../../clients/typescript/src/index.ts'

/** Values of the form. Empty texts are no condition. Times are those of a field `datetime-local`. */
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
