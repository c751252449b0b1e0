/** What answers each of the contract's unbounded lists. */
import type { StreamEnd, StreamItem, StreamName, StreamQuestion } from '../../contract/rpc/streams.ts'
import { personHistory, searchHistory } from '../../operations/history.ts'
import { facesWithMeta } from '../../operations/metas.ts'
import { listPersons } from '../../operations/persons.ts'
import type { Parts } from '../../operations/services.ts'

/** Items, some at a time, and what is said at their end. */
export type Reading<S extends StreamName> = AsyncGenerator<StreamItem<S>[], StreamEnd<S>>

/** For each list: its parsed question in, its reading out. Refusals are thrown before the first items. */
export type Readings = { [S in StreamName]: (question: StreamQuestion<S>) => Reading<S> }

export const readings = (parts: Parts): Readings => ({
  'history.search': question => searchHistory(parts, question),
  'person.history': question => personHistory(parts, question),
  'persons.list': question => listPersons(parts, question),
  'faces.with-meta': question => facesWithMeta(parts, question),
})
