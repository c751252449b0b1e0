/**
 * The handlers of messages that need nothing but the services, by the names of the messages. core/http/rpc/handlers.ts has those
 * with blobs.
 */
import type {
  RpcOperation,
  RpcRequest,
  RpcResponse,
  StreamEnd,
  StreamItem,
  StreamName,
  StreamRequest,
} from '../../contract/operations/messages.ts'
import { alertHistoryHandlers } from './alerts/alert-history.ts'
import { alertHandlers } from './alerts/alerts.ts'
import { deliveryHandlers } from './alerts/deliveries.ts'
import { notificationHandlers } from './alerts/notifications.ts'
import { cameraHandlers } from './cameras.ts'
import { checkGallery } from './check/check-gallery.ts'
import { deletionHandlers } from './deletions.ts'
import { evidenceHandlers } from './evidence-export.ts'
import { faceHandlers } from './faces.ts'
import { galleryHandlers } from './galleries.ts'
import { historyHandlers } from './history.ts'
import { followEvents } from './live-events/follow-events.ts'
import { followViewers, lookLive } from './live-events/look-live.ts'
import { metaHandlers } from './metas.ts'
import { personChangeHandlers } from './persons/changes.ts'
import { groupingHandlers } from './persons/group.ts'
import { personHandlers } from './persons/persons.ts'
import { suggestionHandlers } from './persons/suggestions.ts'
import type { Services } from './services.ts'
import { tokenHandlers } from './tokens.ts'
import { auditPage } from './upkeep/audit-verification.ts'
import { userHandlers } from './users/users.ts'
import { watcherHandlers } from './watchers.ts'

/** Yields batches of items and returns the end record. */
export type Items<S extends StreamName> = AsyncGenerator<StreamItem<S>[], StreamEnd<S>>

type CallHandlers = {
  [V in RpcOperation]?: (services: Services, request: RpcRequest<V>) => Promise<RpcResponse<V>>
}

/** They throw ServiceError before the first items. */
type StreamHandlers = { [S in StreamName]: (services: Services, request: StreamRequest<S>) => Items<S> }

export const HANDLERS = {
  ...faceHandlers,
  ...deletionHandlers,
  ...metaHandlers,
  ...personHandlers,
  ...suggestionHandlers,
  ...personChangeHandlers,
  ...groupingHandlers,
  ...cameraHandlers,
  ...watcherHandlers,
  ...galleryHandlers,
  ...alertHandlers,
  ...deliveryHandlers,
  ...alertHistoryHandlers,
  ...notificationHandlers,
  ...tokenHandlers,
  ...userHandlers,
  ...historyHandlers,
  ...evidenceHandlers,
  'events.follow': followEvents,
  'cameras.viewers': followViewers,
  'camera.live': lookLive,
  'gallery.check': checkGallery,
  'audit.page': auditPage,
} satisfies CallHandlers & StreamHandlers
