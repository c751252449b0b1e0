/** Persons: groups of faces that belong to one human. */
import { type Pages, Resource } from '../pages.ts'
import type { CallOptions } from '../send.ts'
import type {
  GroupingPreview,
  Person,
  PersonChange,
  PersonGrouping,
  PersonHistoryEntry,
  PersonHistoryFilter,
  PersonSuggestion,
  PersonSummary,
  SuggestionFilter,
} from '../types.ts'

export interface SummariesFilter {
  /** Persons with exactly this meta. Default: all. */
  meta?: string | undefined
  /** Persons whose name contains this text, case and accents aside. */
  name?: string | undefined
  /** Persons per request, 1 to 1,000. Default: 100. */
  pageSize?: number | undefined
  /** Persons with a smaller id. */
  max_id?: number | undefined
}

export class Persons extends Resource {
  /** Lists persons, or those whose name contains `name`, case and accents aside. */
  list({ name, ...options }: CallOptions & { name?: string | undefined } = {}): Pages<Person> {
    return this.pages('/persons', options, { name })
  }

  /** Lists persons with a face and the number of their faces, by descending id. */
  summaries({ pageSize, ...filter }: SummariesFilter = {}, options?: CallOptions): Pages<PersonSummary> {
    return this.pages('/persons/summaries', options, { ...filter, limit: pageSize })
  }

  summary(id: number, options?: CallOptions): Promise<PersonSummary> {
    return this.send({ method: 'GET', path: `/person/id/${id}/summary` }, options)
  }

  /** Lists pairs of persons that may be one human. Pages can be empty. */
  suggestions(filter: SuggestionFilter = {}, options?: CallOptions): Pages<PersonSuggestion> {
    return this.pages('/persons/suggestions', options, filter)
  }

  /** Groups the stored faces without a person to persons, in the background; stops or undoes that. */
  group(action: 'start' | 'stop' | 'undo' = 'start', options?: CallOptions): Promise<PersonGrouping> {
    return this.send({ method: 'POST', path: '/persons/grouping', body: { action } }, options)
  }

  grouping(options?: CallOptions): Promise<PersonGrouping> {
    return this.send({ method: 'GET', path: '/persons/grouping' }, options)
  }

  /** Estimates how many persons a grouping would make. Changes nothing. */
  previewGrouping(options?: CallOptions): Promise<GroupingPreview> {
    return this.send({ method: 'GET', path: '/persons/grouping/preview' }, options)
  }

  get(id: number, options?: CallOptions): Promise<Person> {
    return this.send({ method: 'GET', path: `/person/id/${id}` }, options)
  }

  /** Changes the meta of a person, and that of faces with the name of the person, or with `faces` of all their faces. */
  update(id: number, change: PersonChange, options?: CallOptions): Promise<Person> {
    return this.send({ method: 'PUT', path: `/person/id/${id}`, body: change }, options)
  }

  /** Moves all faces of other persons to this one, and deletes these persons. */
  merge(id: number, person_ids: readonly number[], options?: CallOptions): Promise<PersonSummary> {
    return this.send({ method: 'POST', path: `/person/id/${id}/merge`, body: { person_ids } }, options)
  }

  /** Moves faces of a person to a new one, and returns the new person. */
  split(
    id: number,
    face_ids: readonly number[],
    { meta }: { meta?: string | undefined } = {},
    options?: CallOptions,
  ): Promise<PersonSummary> {
    return this.send({ method: 'POST', path: `/person/id/${id}/split`, body: { face_ids, meta } }, options)
  }

  /** Deletes a person and all faces of this person. */
  delete(id: number, options?: CallOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: `/person/id/${id}` }, options)
  }

  /** Lists the camera events of a person, newest first. */
  history(id: number, filter: PersonHistoryFilter = {}, options?: CallOptions): Pages<PersonHistoryEntry> {
    return this.pages(`/person/history/id/${id}`, options, filter)
  }
}
