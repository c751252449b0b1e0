/** All operations of the API. The app serves what is listed here, and the API's documents tell of it. */
import type { Operation } from './operation.ts'
import { detect } from './routes/detect.ts'
import { deleteFace, enrol, getFace } from './routes/face.ts'
import { listFaces } from './routes/faces.ts'
import { createGallery, createNamedGallery, deleteGallery, listGalleries } from './routes/galleries.ts'
import { identify, identifyInGallery } from './routes/identify.ts'
import { verify } from './routes/verify.ts'

export const OPERATIONS: readonly Operation[] = [
  detect,
  verify,
  identify,
  identifyInGallery,
  enrol,
  getFace,
  deleteFace,
  listFaces,
  listGalleries,
  createNamedGallery,
  createGallery,
  deleteGallery,
]
