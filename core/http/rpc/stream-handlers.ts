/** What answers each of the contract's unbounded lists. */
import type { StreamEnd, StreamItem, StreamName, StreamQuestion } from '../../contract/rpc/streams.ts'
import { personHistory, searchHistory } from '../../operations/history.ts'
import { facesWithMeta } from '../../operations/metas.ts'
import { listPersons } from '../../operations/persons.ts'
import type { Services } from '../../operations/services.ts'

/** Items, some at a time, and what is said at their end. */
export type StreamHandler<S extends StreamName> = AsyncGenerator<StreamItem<S>[], StreamEnd<S>>

/** For each list: its parsed question in, its reading out. Refusals are thrown before the first items. */
export type StreamHandlers = { [S in StreamName]: (question: StreamQuestion<S>) => StreamHandler<S> }

export const streamHandlers = (services: Services): StreamHandlers => ({
  'history.search': question => searchHistory(services, question),
  'person.history': question => personHistory(services, question),
  'persons.list': question => listPersons(services, question),
  'faces.with-meta': question => facesWithMeta(services, question),
})
