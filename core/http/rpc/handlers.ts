/** The handler of each RPC operation. */

import type { RpcOperation, RpcRequest, RpcResponse } from '../../../contract/rpc/operations.ts'
import type { ChipModel } from '../../../models/manifest.ts'
import { thumbnailCrop } from '../../../wasm/imaging/thumbnail.ts'
import type { PhotoAnalysis } from '../../../wasm/pipeline.ts'
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
import { updateFace } from '../../operations/update-face.ts'
import { ready } from '../../operations/upkeep/ready.ts'
import type { ServiceFacts } from '../../operations/upkeep/service-state.ts'
import type { CoreAnalyzer } from '../../photos/analyze.ts'
import type { FetchPhoto } from '../../photos/fetch.ts'
import { alertHandlers } from './alert-handlers.ts'
import { chipsOf, facePixelsOf, InvalidBlobs, onlyBlob, shownFacesOf } from './blobs.ts'
import { operatorHandlers } from './operator-handlers.ts'
import { watcherHandlers } from './watcher-handlers.ts'

/** A response and its blobs. */
export interface Reply<V extends RpcOperation> {
  answer: RpcResponse<V>
  blobs?: Uint8Array[]
}

/** For each operation: a function from its parsed request and blobs to its reply. Throws ServiceError. */
export type Handlers = {
  [V in RpcOperation]: (question: RpcRequest<V>, blobs: Uint8Array[]) => Promise<Reply<V>>
}

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
export function handlers(
  services: Services,
  { fetchPhoto, analyzer, chip, facts, visionFile }: HandlerSources,
): Handlers {
  return {
    ready: async () => ({ answer: await ready(services) }),
    caller: async question => ({ answer: await caller(services, question) }),
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
    'face.get': async question => ({ answer: await getFace(services, question) }),
    'face.update': async question => ({ answer: await updateFace(services, question) }),
    'face.delete': async question => ({ answer: await deleteFace(services, question) }),
    'faces.page': async question => ({ answer: await listFaces(services, question) }),
    'faces.delete-with-meta': async question => ({ answer: await deleteFacesWithMeta(services, question) }),
    'metas.page': async question => ({ answer: await listMetas(services, question) }),
    'person.get': async question => ({ answer: await getPerson(services, question) }),
    'person.summary': async question => ({ answer: await personSummary(services, question) }),
    'persons.summaries': async question => ({ answer: await listSummaries(services, question) }),
    'persons.suggestions': async question => ({ answer: await suggestPersons(services, question) }),
    'person.update': async question => ({ answer: await updatePerson(services, question) }),
    'person.merge': async question => ({ answer: await mergePersons(services, question) }),
    'person.split': async question => ({ answer: await splitPerson(services, question) }),
    'person.delete': async question => ({ answer: await deletePerson(services, question) }),
    'camera.create': async question => ({ answer: await createCamera(services, question) }),
    'camera.get': async question => ({ answer: await getCamera(services, question) }),
    'camera.update': async question => ({ answer: await changeCamera(services, question) }),
    'camera.delete': async question => ({ answer: await deleteCamera(services, question) }),
    'cameras.list': async question => ({ answer: await listCameras(services, question) }),
    ...watcherHandlers(services),
    'galleries.list': async question => ({ answer: await listGalleries(services, question) }),
    'galleries.statistics': async question => ({ answer: await galleryStatistics(services, question) }),
    'gallery.get': async question => ({ answer: await getGallery(services, question) }),
    'gallery.update': async question => ({ answer: await changeGallery(services, question) }),
    'gallery.create': async question => ({ answer: await createGallery(services, question) }),
    'gallery.delete': async question => ({ answer: await deleteGallery(services, question) }),
    ...alertHandlers(services),
    ...operatorHandlers(services, facts),
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
