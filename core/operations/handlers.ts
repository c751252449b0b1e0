/** The handler of each message of an edge, by the name of the message. */
import type {
  RpcOperation,
  RpcRequest,
  RpcResponse,
  StreamEnd,
  StreamItem,
  StreamName,
  StreamRequest,
} from '../../contract/operations/messages.ts'
import type { ChipModel } from '../../models/manifest.ts'
import { thumbnailCrop } from '../../wasm/imaging/thumbnail.ts'
import type { CoreAnalyzer } from '../photos/analyze.ts'
import type { FetchPhoto } from '../photos/fetch.ts'
import type { Provider } from './access/provider.ts'
import type { sessionOpener } from './access/sessions.ts'
import { tokenHandlers } from './access/tokens.ts'
import { userHandlers } from './access/users.ts'
import { alertHandlers } from './alerts/alerts.ts'
import { deliveryHandlers } from './alerts/deliveries.ts'
import { notificationHandlers } from './alerts/notifications.ts'
import { auditPage, type auditVerifier } from './audit-log/audit-verification.ts'
import { chipsOf, facePixelsOf, InvalidBlobs, onlyBlob, shownFacesOf } from './blobs.ts'
import { cameraLeaseHandlers, cameraPicture, leaseCamera } from './cameras/camera-leases.ts'
import { cameraHandlers } from './cameras/cameras.ts'
import { followViewers, lookLive } from './cameras/look-live.ts'
import { putRecording, readRecording, recordingHandlers } from './cameras/recordings.ts'
import { deletionHandlers } from './consistency/deletions.ts'
import { evidenceHandlers } from './events/evidence-export.ts'
import { followEvents } from './events/follow-events.ts'
import { historyHandlers } from './events/history.ts'
import { putFootage } from './events/snapshots-and-clips.ts'
import { enrol, prepareFaces } from './faces/enrol.ts'
import { faceHandlers } from './faces/faces.ts'
import { checkGallery } from './galleries/check-gallery.ts'
import { galleryHandlers } from './galleries/galleries.ts'
import { personChangeHandlers } from './persons/changes.ts'
import { groupingHandlers } from './persons/group.ts'
import { personHandlers } from './persons/persons.ts'
import { suggestionHandlers } from './persons/suggestions.ts'
import { compare, compareWithPerson, identify } from './recognition.ts'
import { ready, requestBackup, type ServiceFacts, serviceState } from './service/service-state.ts'
import type { LiveSettings } from './service/settings.ts'
import type { Services } from './services.ts'

/** Yields batches of items and returns the end record. */
type Items<S extends StreamName> = AsyncGenerator<StreamItem<S>[], StreamEnd<S>>

/** What handlers need in addition to the services. */
export interface HandlerSources {
  fetchPhoto: FetchPhoto
  analyze: CoreAnalyzer['analyze']
  /** Chip layout of the embedder. */
  chip: ChipModel
  facts(): ServiceFacts
  settings: Pick<LiveSettings, 'state' | 'update'>
  /** Absent without an OpenID provider. */
  provider?: Provider
}

/** A request as handlers see it. */
export interface HandlerContext<Response> extends HandlerSources {
  verifyAudit: ReturnType<typeof auditVerifier>
  openSession: ReturnType<typeof sessionOpener>
  /** Blobs of the request. */
  blobs: readonly Uint8Array[]
  /** Blobs of the reply. */
  replyBlobs: Uint8Array[]
  /** Writes the entry of the audit log, which the guards otherwise write after the reply. */
  record(response: Response): Promise<void>
}

type HandledOperation = Exclude<RpcOperation, 'change.outcome'>

/** All throw ServiceError; handlers of streams throw it before the first item. The routes themselves answer `change.outcome` (changes.ts). */
type AllHandlers = {
  [V in HandledOperation]: (
    services: Services,
    request: RpcRequest<V>,
    context: HandlerContext<RpcResponse<V>>,
  ) => Promise<RpcResponse<V>>
} & { [S in StreamName]: (services: Services, request: StreamRequest<S>) => Items<S> }

export const HANDLERS: AllHandlers = {
  ...faceHandlers,
  ...deletionHandlers,
  ...personHandlers,
  ...suggestionHandlers,
  ...personChangeHandlers,
  ...groupingHandlers,
  ...cameraHandlers,
  ...cameraLeaseHandlers,
  ...recordingHandlers,
  ...galleryHandlers,
  ...alertHandlers,
  ...deliveryHandlers,
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
  ready: async (services, _, { provider }) => ({
    ...(await ready(services)),
    provider: provider?.name,
  }),
  'photo.fetch': async (_, { url, owner }, { fetchPhoto, replyBlobs }) => {
    replyBlobs.push(await fetchPhoto(url, owner))
    return {}
  },
  'photo.analyze': async (_, { selection, param }, { analyze, blobs, replyBlobs }) => {
    const { selected, ...analysis } = await analyze(onlyBlob(blobs), selection, param)
    replyBlobs.push(...selected.flatMap(({ chip, thumbnail }) => [chip, thumbnail.data]))
    return {
      ...analysis,
      selected: selected.map(({ thumbnail, chip: _, ...face }) => ({
        ...face,
        thumbnail: thumbnailCrop(thumbnail),
      })),
    }
  },
  enrol(services, request, { chip, blobs }) {
    const sent = request.preparation === undefined ? request.faces : []
    return enrol(services, request, facePixelsOf(chip, sent, blobs))
  },
  'faces.prepare': async (services, request, { chip, blobs }) => {
    const faces = request.thumbnails.map(thumbnail => ({ thumbnail }))
    return prepareFaces(services, request, facePixelsOf(chip, faces, blobs))
  },
  'face.footage': async (services, request, { blobs }) => putFootage(services, request, onlyBlob(blobs)),
  attributes: async ({ estimate }, request, { chip, blobs }) => ({
    faces: await estimate(shownFacesOf(chip, request, blobs), request.asked),
  }),
  identify: async (services, request, { chip, blobs }) => identify(services, request, chipsOf(chip, blobs)),
  compare: async (services, { first, person }, { chip, blobs }) => {
    if (first > blobs.length) throw new InvalidBlobs()
    const chips = chipsOf(chip, blobs)
    if (person) return compareWithPerson(services, person, chips)
    return compare(services, chips.slice(0, first), chips.slice(first))
  },
  'camera.lease': async (services, request, { blobs }) =>
    leaseCamera(services, request, blobs.length === 0 ? undefined : onlyBlob(blobs)),
  'camera.picture': async (services, request, { replyBlobs }) => {
    const picture = await cameraPicture(services, request)
    if (picture) replyBlobs.push(picture)
    return {}
  },
  'recording.put': (services, request, { blobs }) => putRecording(services, request, onlyBlob(blobs)),
  'recording.get': async (services, request, { replyBlobs }) => {
    replyBlobs.push(await readRecording(services, request))
    return {}
  },
  'session.open': (_, request, { openSession }) => openSession(request),
  'audit.verify': async (_services, _request, { verifyAudit }) => ({ verification: await verifyAudit() }),
  'service.get': async (services, _, { facts }) => ({ service: await serviceState(services, facts()) }),
  'backup.request': (services, _, { facts }) => requestBackup(services, facts()),
  'settings.get': async (_services, _request, { settings }) => ({ settings: await settings.state() }),
  'settings.update': async (_, { settings: changed, reset }, { settings }) => ({
    settings: await settings.update(changed, reset),
  }),
}
