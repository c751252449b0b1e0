/** The handlers of the RPC operations and streams, with their services and blobs. */
import {
  type RpcOperation,
  type RpcRequest,
  type RpcResponse,
  STREAMS,
  type StreamName,
  type StreamRequest,
} from '../../../contract/operations/messages.ts'
import type { ChipModel } from '../../../models/manifest.ts'
import { thumbnailCrop } from '../../../wasm/imaging/thumbnail.ts'
import type { PhotoAnalysis } from '../../../wasm/pipeline.ts'
import type { Provider } from '../../operations/access/provider.ts'
import { sessionOpener } from '../../operations/access/sessions.ts'
import { auditVerifier } from '../../operations/audit-log/audit-verification.ts'
import { cameraPicture, leaseCamera } from '../../operations/cameras/watchers.ts'
import { deleteFace, deleteFacesWithMeta, deletePerson } from '../../operations/consistency/deletions.ts'
import { putMoment } from '../../operations/events/moments.ts'
import { enrol, prepareFaces } from '../../operations/faces/enrol.ts'
import { HANDLERS, type Items } from '../../operations/handlers.ts'
import { compare, compareWithPerson, identify } from '../../operations/search/recognition.ts'
import {
  ready,
  requestBackup,
  type ServiceFacts,
  serviceState,
} from '../../operations/service/service-state.ts'
import type { LiveSettings } from '../../operations/service/settings.ts'
import type { Services } from '../../operations/services.ts'
import type { CoreAnalyzer } from '../../photos/analyze.ts'
import type { FetchPhoto } from '../../photos/fetch.ts'
import { chipsOf, facePixelsOf, InvalidBlobs, onlyBlob, shownFacesOf } from './blobs.ts'

/** A response and its blobs. */
export interface Reply<V extends RpcOperation> {
  response: RpcResponse<V>
  blobs?: Uint8Array[]
}

/**
 * A function from the parsed request and blobs of an operation to its reply. Throws ServiceError. `record` writes the entry of
 * the audit log, which the guards otherwise write after the reply.
 */
export type Handler<V extends RpcOperation> = (
  request: RpcRequest<V>,
  blobs: Uint8Array[],
  record?: (response: RpcResponse<V>) => Promise<void>,
) => Promise<Reply<V>>

/** For each operation its handler. The routes themselves answer `change.outcome` (changes.ts). */
export type Handlers = { [V in Exclude<RpcOperation, 'change.outcome'>]: Handler<V> }

/** For each stream: a function from its parsed request to its items. Throws ServiceError before the first items. */
export type StreamHandlers = { [S in StreamName]: (request: StreamRequest<S>) => Items<S> }

/** What the handlers need in addition to the services. */
export interface HandlerSources {
  fetchPhoto: FetchPhoto
  analyze: CoreAnalyzer['analyze']
  /** Chip layout of the embedder. */
  chip: ChipModel
  facts(): ServiceFacts
  settings: Pick<LiveSettings, 'state' | 'update'>
  /** Absent without an OpenID provider. */
  provider?: Provider | undefined
}

const isStream = (name: string): name is StreamName => Object.hasOwn(STREAMS, name)

/** Creates the handlers of all operations. */
export function handlers(services: Services, sources: HandlerSources): Handlers {
  const plain = Object.entries(HANDLERS)
    .filter(([name]) => !isStream(name))
    .map(([name, handler]) => {
      const run = handler as (services: Services, request: object) => Promise<object>
      return [name, async (request: object) => ({ response: await run(services, request) })]
    })
  return {
    ...Object.fromEntries(plain),
    ...handlersThatRecord(services),
    ...otherHandlers(services, sources),
  } as Handlers
}

type Recording = 'face.delete' | 'faces.delete-with-meta' | 'person.delete'

/** Creates the handlers that write their entry of the audit log themselves. */
export const handlersThatRecord = (services: Services): Pick<Handlers, Recording> => ({
  'face.delete': async (request, _, record) => ({ response: await deleteFace(services, request, record) }),
  'faces.delete-with-meta': async (request, _, record) => ({
    response: await deleteFacesWithMeta(services, request, record),
  }),
  'person.delete': async (request, _, record) => ({
    response: await deletePerson(services, request, record),
  }),
})

/** Creates the handlers of all streams. */
export function streamHandlers(services: Services): StreamHandlers {
  const streams = Object.entries(HANDLERS)
    .filter(([name]) => isStream(name))
    .map(([name, handler]) => {
      const open = handler as (services: Services, request: object) => unknown
      return [name, (request: object) => open(services, request)]
    })
  return Object.fromEntries(streams) as StreamHandlers
}

/** Handlers of operations with blobs, or that need more than the services. */
function otherHandlers(
  services: Services,
  { fetchPhoto, analyze, chip, facts, settings, provider }: HandlerSources,
): Omit<Handlers, keyof typeof HANDLERS | Recording> {
  const verifyAudit = auditVerifier(services)
  const openSession = sessionOpener(services, provider)
  return {
    ready: async () => ({
      response: { ...(await ready(services)), ...(provider && { provider: provider.name }) },
    }),
    'photo.fetch': async ({ url, owner }) => ({ response: {}, blobs: [await fetchPhoto(url, owner)] }),
    'photo.analyze': async ({ selection, param }, blobs) =>
      analysisReply(await analyze(onlyBlob(blobs), selection, param)),
    enrol: async (request, blobs) => {
      const sent = request.preparation === undefined ? request.faces : []
      return { response: await enrol(services, request, facePixelsOf(chip, sent, blobs)) }
    },
    'faces.prepare': async (request, blobs) => {
      const faces = request.thumbnails.map(thumbnail => ({ thumbnail }))
      return { response: await prepareFaces(services, request, facePixelsOf(chip, faces, blobs)) }
    },
    'face.moment': async (request, blobs) => ({
      response: await putMoment(services, request, onlyBlob(blobs)),
    }),
    attributes: async (request, blobs) => ({
      response: { faces: await services.estimate(shownFacesOf(chip, request, blobs), request.asked) },
    }),
    identify: async (request, blobs) => ({
      response: await identify(services, request, chipsOf(chip, blobs)),
    }),
    compare: async ({ first, person }, blobs) => {
      if (first > blobs.length) throw new InvalidBlobs()
      const chips = chipsOf(chip, blobs)
      if (person) return { response: await compareWithPerson(services, person, chips) }
      return { response: await compare(services, chips.slice(0, first), chips.slice(first)) }
    },
    'camera.lease': async (request, blobs) => ({
      response: await leaseCamera(services, request, blobs.length === 0 ? undefined : onlyBlob(blobs)),
    }),
    'camera.picture': async request => {
      const picture = await cameraPicture(services, request)
      return { response: {}, ...(picture && { blobs: [picture] }) }
    },
    'session.open': async request => ({ response: await openSession(request) }),
    'audit.verify': async () => ({ response: { verification: await verifyAudit() } }),
    'service.get': async () => ({ response: { service: await serviceState(services, facts()) } }),
    'backup.request': async () => {
      await requestBackup(services, facts())
      return { response: {} }
    },
    'settings.get': async () => ({ response: { settings: await settings.state() } }),
    'settings.update': async ({ settings: changed, reset }) => ({
      response: { settings: await settings.update(changed, reset) },
    }),
  }
}

/** Response with boxes and sizes of an analysis. Blobs: for each selected face its chip, then its thumbnail. */
function analysisReply({ selected, ...analysis }: PhotoAnalysis): Reply<'photo.analyze'> {
  return {
    response: {
      ...analysis,
      selected: selected.map(({ thumbnail, chip: _, ...face }) => ({
        ...face,
        thumbnail: thumbnailCrop(thumbnail),
      })),
    },
    blobs: selected.flatMap(({ chip, thumbnail }) => [chip, thumbnail.data]),
  }
}
