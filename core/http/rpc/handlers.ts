/** What answers each verb of the contract's table. */

import type { ChipModel } from '../../../models/manifest.ts'
import { outlineOf } from '../../../wasm/imaging/thumbnail.ts'
import type { Sighting } from '../../../wasm/pipeline.ts'
import type { Answer, Question, Verb } from '../../contract/rpc/operations.ts'
import { caller } from '../../operations/caller.ts'
import {
  changeCamera,
  checkCamera,
  createCamera,
  forgetCamera,
  getCamera,
  listCameras,
} from '../../operations/cameras.ts'
import { compare } from '../../operations/compare.ts'
import {
  deleteGallery,
  forgetFace,
  forgetFacesWithMeta,
  forgetPerson,
} from '../../operations/delete-faces.ts'
import { enrol } from '../../operations/enrol.ts'
import { getFace, listFaces } from '../../operations/faces.ts'
import {
  changeGallery,
  checkGalleries,
  createGallery,
  getGallery,
  listGalleries,
} from '../../operations/galleries.ts'
import { identify } from '../../operations/identify.ts'
import { listMetas } from '../../operations/metas.ts'
import { getPerson } from '../../operations/persons.ts'
import { recall } from '../../operations/repeated-enrolment.ts'
import type { Parts } from '../../operations/services.ts'
import { updateFace } from '../../operations/update-face.ts'
import { ready } from '../../operations/upkeep/ready.ts'
import type { Looker } from '../../photos/analyze.ts'
import type { FetchPhoto } from '../../photos/fetch.ts'
import { chipsOf, facePixelsOf, onlyBlob, shownFacesOf, WrongBlobs } from './blobs.ts'

/** An answer and the blobs that go behind it. */
export interface Reply<V extends Verb> {
  answer: Answer<V>
  blobs?: Uint8Array[]
}

/** For each verb: its parsed question and blobs in, its reply out. Refusals are thrown as ServiceErrors. */
export type Handlers = {
  [V in Verb]: (question: Question<V>, blobs: Uint8Array[]) => Promise<Reply<V>>
}

export interface PhotoSources {
  fetchPhoto: FetchPhoto
  looker: Looker
  /** How faces lie on chips. */
  chip: ChipModel
}

export function handlers(parts: Parts, { fetchPhoto, looker, chip }: PhotoSources): Handlers {
  return {
    ready: async () => ({ answer: await ready(parts) }),
    caller: async question => ({ answer: await caller(parts, question) }),
    'photo.fetch': async ({ url, owner }) => ({ answer: {}, blobs: [await fetchPhoto(url, owner)] }),
    'photo.look': async ({ selection, param }, blobs) =>
      sightingReply(await looker.look(onlyBlob(blobs), selection, param)),
    enrol: async (question, blobs) => ({
      answer: await enrol(parts, question, facePixelsOf(chip, question.faces, blobs)),
    }),
    'enrol.recall': async question => ({ answer: await recall(parts, question) }),
    attributes: async (question, blobs) => ({
      answer: { faces: await parts.estimate(shownFacesOf(chip, question, blobs), question.asked) },
    }),
    identify: async (question, blobs) => ({ answer: await identify(parts, question, chipsOf(chip, blobs)) }),
    compare: async ({ first }, blobs) => {
      if (first > blobs.length) throw new WrongBlobs()
      const chips = chipsOf(chip, blobs)
      return { answer: await compare(parts, chips.slice(0, first), chips.slice(first)) }
    },
    'face.get': async question => ({ answer: await getFace(parts, question) }),
    'face.update': async question => ({ answer: await updateFace(parts, question) }),
    'face.delete': async question => ({ answer: await forgetFace(parts, question) }),
    'faces.page': async question => ({ answer: await listFaces(parts, question) }),
    'faces.delete-with-meta': async question => ({ answer: await forgetFacesWithMeta(parts, question) }),
    'metas.page': async question => ({ answer: await listMetas(parts, question) }),
    'person.get': async question => ({ answer: await getPerson(parts, question) }),
    'person.delete': async question => ({ answer: await forgetPerson(parts, question) }),
    'camera.create': async question => ({ answer: await createCamera(parts, question) }),
    'camera.get': async question => ({ answer: await getCamera(parts, question) }),
    'camera.update': async question => ({ answer: await changeCamera(parts, question) }),
    'camera.delete': async question => ({ answer: await forgetCamera(parts, question) }),
    'camera.check': async question => ({ answer: await checkCamera(parts, question) }),
    'cameras.list': async question => ({ answer: await listCameras(parts, question) }),
    'galleries.list': async question => ({ answer: await listGalleries(parts, question) }),
    'galleries.check': async question => ({ answer: await checkGalleries(parts, question) }),
    'gallery.get': async question => ({ answer: await getGallery(parts, question) }),
    'gallery.update': async question => ({ answer: await changeGallery(parts, question) }),
    'gallery.create': async question => ({ answer: await createGallery(parts, question) }),
    'gallery.delete': async question => ({ answer: await deleteGallery(parts, question) }),
  }
}

/** The sighting's boxes and sizes as the answer, its pixels as the blobs: chip and thumbnail of each face in turn. */
function sightingReply({ orientation, faces, limited, selected }: Sighting): Reply<'photo.look'> {
  return {
    answer: {
      orientation,
      faces: [...faces],
      limited,
      selected: selected.map(({ thumbnail, chip: _, ...face }) => ({
        ...face,
        thumbnail: outlineOf(thumbnail),
      })),
    },
    blobs: selected.flatMap(({ chip, thumbnail }) => [chip, thumbnail.data]),
  }
}
