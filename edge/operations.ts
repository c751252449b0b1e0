/** All operations of the API. The app serves what is listed here, and the API's documents tell of it. */
import type { Operation } from './operation.ts'
import { changeCamera, createCamera, deleteCamera, getCamera, listCameras } from './routes/cameras.ts'
import { detect } from './routes/detect.ts'
import { deleteFace, enrol, getFace } from './routes/face.ts'
import { updateFace } from './routes/face-update.ts'
import { listFaces, listGalleryFaces } from './routes/faces.ts'
import {
  changeGallery,
  createGallery,
  createNamedGallery,
  deleteGallery,
  getGallery,
  listGalleries,
} from './routes/galleries.ts'
import { browseHistory, searchHistory } from './routes/history.ts'
import { identify, identifyInGallery } from './routes/identify.ts'
import {
  deleteFacesWithMeta,
  deleteGalleryFacesWithMeta,
  facesWithMeta,
  galleryFacesWithMeta,
  listGalleryMetas,
  listMetas,
} from './routes/metas.ts'
import { deletePerson, getPerson, listPersons, personHistory } from './routes/persons.ts'
import { verify } from './routes/verify.ts'

export const OPERATIONS: readonly Operation[] = [
  detect,
  verify,
  identify,
  identifyInGallery,
  enrol,
  getFace,
  updateFace,
  deleteFace,
  listFaces,
  listGalleryFaces,
  facesWithMeta,
  galleryFacesWithMeta,
  deleteFacesWithMeta,
  deleteGalleryFacesWithMeta,
  listMetas,
  listGalleryMetas,
  listGalleries,
  createNamedGallery,
  createGallery,
  getGallery,
  changeGallery,
  deleteGallery,
  listPersons,
  getPerson,
  deletePerson,
  personHistory,
  searchHistory,
  browseHistory,
  createCamera,
  listCameras,
  getCamera,
  changeCamera,
  deleteCamera,
]
