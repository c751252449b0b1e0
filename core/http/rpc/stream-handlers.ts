/** The handler of each RPC stream. */
import type { StreamEnd, StreamItem, StreamName, StreamRequest } from '../../../contract/rpc/streams.ts'
import { personHistory, searchHistory } from '../../operations/history.ts'
import { followEvents } from '../../operations/live-events/follow-events.ts'
import { facesWithMeta } from '../../operations/metas.ts'
import { listPersons } from '../../operations/persons/persons.ts'
import type { Services } from '../../operations/services.ts'

/** Yields batches of items and returns the end record. */
export type StreamHandler<S extends StreamName> = AsyncGenerator<StreamItem<S>[], StreamEnd<S>>

/** For each stream: a function from its parsed request to its items. Throws ServiceError before the first items. */
export type StreamHandlers = { [S in StreamName]: (question: StreamRequest<S>) => StreamHandler<S> }

/** Creates the handlers of all streams. */
export const streamHandlers = (services: Services): StreamHandlers => ({
  'history.search': question => searchHistory(services, question),
  'events.follow': question => followEvents(services, question),
  'person.history': question => personHistory(services, question),
  'persons.list': question => listPersons(services, question),
  'faces.with-meta': question => facesWithMeta(services, question),
})
