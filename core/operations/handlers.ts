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
import { tokenHandlers } from './access/tokens.ts'
import { userHandlers } from './access/users.ts'
import { alertHistoryHandlers } from './alerts/alert-history.ts'
import { alertHandlers } from './alerts/alerts.ts'
import { deliveryHandlers } from './alerts/deliveries.ts'
import { notificationHandlers } from './alerts/notifications.ts'
import { auditPage } from './audit-log/audit-verification.ts'
import { cameraHandlers } from './cameras/cameras.ts'
import { followViewers, lookLive } from './cameras/look-live.ts'
import { watcherHandlers } from './cameras/watchers.ts'
import { deletionHandlers } from './consistency/deletions.ts'
import { evidenceHandlers } from './events/evidence-export.ts'
import { followEvents } from './events/follow-events.ts'
import { historyHandlers } from './events/history.ts'
import { faceHandlers } from './faces/faces.ts'
import { metaHandlers } from './faces/metas.ts'
import { checkGallery } from './galleries/check-gallery.ts'
import { galleryHandlers } from './galleries/galleries.ts'
import { personChangeHandlers } from './persons/changes.ts'
import { groupingHandlers } from './persons/group.ts'
import { personHandlers } from './persons/persons.ts'
import { suggestionHandlers } from './persons/suggestions.ts'
import type { Services } from './services.ts'

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
