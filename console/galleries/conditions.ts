/** The filter of a gallery: texts in the address of the page, and conditions of the API. */
import type { FacesFilter } from '../../clients/typescript/src/index.ts'

/** The names of the conditions. */
export const CONDITIONS = ['meta', 'person_id', 'cam_id', 'start', 'end', 'friend'] as const

/** Texts of the parameters of the API. An absent one is no condition. Times are ISO 8601 with a zone. */
export type Filter = Partial<Record<(typeof CONDITIONS)[number], string>>

/** The filter in the query of an address. Unknown and empty fields are left out. */
export function filterIn(query: string): Filter {
  const fields = new URLSearchParams(query)
  return Object.fromEntries(
    CONDITIONS.flatMap(name => {
      const value = fields.get(name)
      return value ? [[name, value]] : []
    }),
  )
}

/** The query of an address that keeps the filter; "" for an empty one. */
export const queryOf = (filter: Filter): string =>
  new URLSearchParams(CONDITIONS.flatMap(name => (filter[name] ? [[name, filter[name]]] : []))).toString()

/** The conditions as the client takes them. */
export const conditionsOf = ({ meta, person_id, cam_id, start, end, friend }: Filter): FacesFilter => ({
  ...(meta ? { meta } : {}),
  ...(person_id ? { person_id: Number(person_id) } : {}),
  ...(cam_id ? { cam_id: [cam_id] } : {}),
  ...(start ? { start } : {}),
  ...(end ? { end } : {}),
  ...(friend ? { friend: friend === 'true' } : {}),
})

/** A time as the value of a field for local times, to the minute; "" for a text that is no time. */
export function localTime(time: string | undefined): string {
  const date = new Date(time ?? '')
  if (Number.isNaN(date.getTime())) return ''
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The time of a field for local times, with a zone; undefined for an empty field. */
export const timeOf = (local: string): string | undefined =>
  local === '' ? undefined : new Date(local).toISOString()
