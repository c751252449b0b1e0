/** The handler of each RPC operation. */

import type { RpcOperation, RpcRequest, RpcResponse } from '../../../contract/rpc/operations.ts'
import type { ChipModel } from '../../../models/manifest.ts'
import { thumbnailCrop } from '../../../wasm/imaging/thumbnail.ts'
import type { PhotoAnalysis } from '../../../wasm/pipeline.ts'
import {
  changeAlert,
  createAlert,
  deleteAlert,
  getAlert,
  listAlerts,
  rotateAlertSecret,
} from '../../operations/alerts/alerts.ts'
import { listDeliveries, retryDelivery, testAlert } from '../../operations/alerts/deliveries.ts'
import { caller } from '../../operations/caller.ts'
import { changeCamera, createCamera, deleteCamera, getCamera, listCameras } from '../../operations/cameras.ts'
import { compare } from '../../operations/compare.ts'
import {
  deleteFace,
  deleteFacesWithMeta,
  deleteGallery,
  deletePerson,
} from '../../operations/delete-faces.ts'
import { enrol } from '../../operations/enrol.ts'
import { getFace, listFaces } from '../../operations/faces.ts'
import { changeGallery, createGallery, getGallery, listGalleries } from '../../operations/galleries.ts'
import { galleryStatistics } from '../../operations/gallery-statistics.ts'
import { identify } from '../../operations/identify.ts'
import { listMetas } from '../../operations/metas.ts'
import { mergePersons, splitPerson, updatePerson } from '../../operations/persons/changes.ts'
import { getPerson } from '../../operations/persons/persons.ts'
import { suggestPersons } from '../../operations/persons/suggestions.ts'
import { listSummaries, personSummary } from '../../operations/persons/summaries.ts'
import type { Services } from '../../operations/services.ts'
import { createToken, currentToken, listTokens, revokeToken, rotateToken } from '../../operations/tokens.ts'
import { updateFace } from '../../operations/update-face.ts'
import { auditPage, auditVerifier } from '../../operations/upkeep/audit-verification.ts'
import { ready } from '../../operations/upkeep/ready.ts'
import { type ServiceFacts, serviceState } from '../../operations/upkeep/service-state.ts'
import { cameraPicture, cameraState, leaseCamera, releaseCamera } from '../../operations/watchers.ts'
import type { CoreAnalyzer } from '../../photos/analyze.ts'
import type { FetchPhoto } from '../../photos/fetch.ts'
import { chipsOf, facePixelsOf, InvalidBlobs, onlyBlob, shownFacesOf } from './blobs.ts'

/** A response and its blobs. */
export interface Reply<V extends RpcOperation> {
  answer: RpcResponse<V>
  blobs?: Uint8Array[]
}

/** For each operation: a function from its parsed request and blobs to its reply. Throws ServiceError. */
export type Handlers = {
  [V in RpcOperation]: (question: RpcRequest<V>, blobs: Uint8Array[]) => Promise<Reply<V>>
}

/** Operations that need the services and their request only. */
const PLAIN = {
  ready,
  caller,
  'face.get': getFace,
  'face.update': updateFace,
  'face.delete': deleteFace,
  'faces.page': listFaces,
  'faces.delete-with-meta': deleteFacesWithMeta,
  'metas.page': listMetas,
  'person.get': getPerson,
  'person.summary': personSummary,
  'persons.summaries': listSummaries,
  'persons.suggestions': suggestPersons,
  'person.update': updatePerson,
  'person.merge': mergePersons,
  'person.split': splitPerson,
  'person.delete': deletePerson,
  'camera.create': createCamera,
  'camera.get': getCamera,
  'camera.update': changeCamera,
  'camera.delete': deleteCamera,
  'camera.release': releaseCamera,
  'camera.state': cameraState,
  'cameras.list': listCameras,
  'galleries.list': listGalleries,
  'galleries.statistics': galleryStatistics,
  'gallery.get': getGallery,
  'gallery.create': createGallery,
  'gallery.update': changeGallery,
  'gallery.delete': deleteGallery,
  'alert.create': createAlert,
  'alert.get': getAlert,
  'alerts.list': listAlerts,
  'alert.update': changeAlert,
  'alert.delete': deleteAlert,
  'alert.secret': rotateAlertSecret,
  'alert.test': testAlert,
  'deliveries.page': listDeliveries,
  'delivery.retry': retryDelivery,
  'token.get': currentToken,
  'tokens.list': listTokens,
  'token.create': createToken,
  'token.rotate': rotateToken,
  'token.revoke': revokeToken,
  'audit.page': auditPage,
} satisfies {
  [V in RpcOperation]?: (services: Services, question: RpcRequest<V>) => Promise<RpcResponse<V>>
}

type PlainOperation = keyof typeof PLAIN

/** What the handlers need in addition to the services. */
export interface HandlerSources {
  fetchPhoto: FetchPhoto
  analyzer: CoreAnalyzer
  /** Chip layout of the embedder. */
  chip: ChipModel
  facts: ServiceFacts
  /** The vision file of the pack (models/vision-file.ts). */
  visionFile(): Promise<Uint8Array>
}

/** Creates the handlers of all operations. */
export function handlers(services: Services, sources: HandlerSources): Handlers {
  const plain = Object.entries(PLAIN).map(([verb, run]) => {
    const answering = run as (services: Services, question: object) => Promise<object>
    return [verb, async (question: object) => ({ answer: await answering(services, question) })]
  })
  return { ...Object.fromEntries(plain), ...otherHandlers(services, sources) } as Handlers
}

/** Handlers of operations with blobs, or that need more than the services. */
function otherHandlers(
  services: Services,
  { fetchPhoto, analyzer, chip, facts, visionFile }: HandlerSources,
): Omit<Handlers, PlainOperation> {
  const verifyAudit = auditVerifier(services)
  return {
    'pack.vision': async () => ({ answer: {}, blobs: [await visionFile()] }),
    'photo.fetch': async ({ url, owner }) => ({ answer: {}, blobs: [await fetchPhoto(url, owner)] }),
    'photo.analyze': async ({ selection, param }, blobs) =>
      analysisReply(await analyzer.analyze(onlyBlob(blobs), selection, param)),
    enrol: async (question, blobs) => ({
      answer: await enrol(services, question, facePixelsOf(chip, question.faces, blobs)),
    }),
    attributes: async (question, blobs) => ({
      answer: { faces: await services.estimate(shownFacesOf(chip, question, blobs), question.asked) },
    }),
    identify: async (question, blobs) => ({
      answer: await identify(services, question, chipsOf(chip, blobs)),
    }),
    compare: async ({ first }, blobs) => {
      if (first > blobs.length) throw new InvalidBlobs()
      const chips = chipsOf(chip, blobs)
      return { answer: await compare(services, chips.slice(0, first), chips.slice(first)) }
    },
    'camera.lease': async (question, blobs) => ({
      answer: await leaseCamera(services, question, blobs.length === 0 ? undefined : onlyBlob(blobs)),
    }),
    'camera.picture': async question => {
      const picture = await cameraPicture(services, question)
      return { answer: {}, ...(picture && { blobs: [picture] }) }
    },
    'audit.verify': async () => ({ answer: { verification: await verifyAudit() } }),
    'service.get': async () => ({ answer: { service: await serviceState(services, facts) } }),
  }
}

/** Response with boxes and sizes of an analysis. Blobs: for each selected face its chip, then its thumbnail. */
function analysisReply({ selected, ...analysis }: PhotoAnalysis): Reply<'photo.analyze'> {
  return {
    answer: {
      ...analysis,
      selected: selected.map(({ thumbnail, chip: _, ...face }) => ({
        ...face,
        thumbnail: thumbnailCrop(thumbnail),
      })),
    },
    blobs: selected.flatMap(({ chip, thumbnail }) => [chip, thumbnail.data]),
  }
}
