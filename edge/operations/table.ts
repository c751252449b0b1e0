/** All operations of the API, for the app and the OpenAPI documents. */

import { listDeliveries, retryDelivery, testAlert } from './alerts/deliveries.ts'
import {
  changeAlert,
  createAlert,
  deleteAlert,
  getAlert,
  listAlerts,
  rotateAlertSecret,
} from './alerts/rules.ts'
import { changeCamera, createCamera, deleteCamera, getCamera, listCameras } from './cameras/cameras.ts'
import { getCameraPicture, getCameraState, leaseCamera, releaseCamera } from './cameras/watchers.ts'
import { detect } from './detect.ts'
import { followEvents } from './events.ts'
import { deleteFace, enrol, getFace } from './face.ts'
import { updateFace } from './face-update.ts'
import { listFaces, listGalleryFaces } from './faces.ts'
import {
  changeGallery,
  createGallery,
  createNamedGallery,
  deleteGallery,
  galleryStatistics,
  getGallery,
  listGalleries,
} from './galleries.ts'
import { browseHistory, searchHistory } from './history.ts'
import { identify, identifyInGallery } from './identify.ts'
import {
  deleteFacesWithMeta,
  deleteGalleryFacesWithMeta,
  facesWithMeta,
  galleryFacesWithMeta,
  listGalleryMetas,
  listMetas,
} from './metas.ts'
import type { Operation } from './operation.ts'
import { mergePersons, splitPerson, updatePerson } from './persons/changes.ts'
import { deletePerson, getPerson, listPersons, personHistory } from './persons/persons.ts'
import { getPersonSummary, listPersonSummaries, suggestPersons } from './persons/summaries.ts'
import { getService, listAuditLog, verifyAuditLog } from './service.ts'
import { createToken, getCurrentToken, listTokens, revokeToken, rotateToken } from './tokens.ts'
import { verify } from './verify.ts'

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
  galleryStatistics,
  createNamedGallery,
  createGallery,
  getGallery,
  changeGallery,
  deleteGallery,
  listPersons,
  listPersonSummaries,
  suggestPersons,
  getPerson,
  getPersonSummary,
  updatePerson,
  mergePersons,
  splitPerson,
  deletePerson,
  personHistory,
  searchHistory,
  browseHistory,
  followEvents,
  createCamera,
  listCameras,
  getCamera,
  changeCamera,
  deleteCamera,
  leaseCamera,
  releaseCamera,
  getCameraState,
  getCameraPicture,
  createAlert,
  listAlerts,
  getAlert,
  changeAlert,
  deleteAlert,
  rotateAlertSecret,
  testAlert,
  listDeliveries,
  retryDelivery,
  getCurrentToken,
  listTokens,
  createToken,
  rotateToken,
  revokeToken,
  listAuditLog,
  verifyAuditLog,
  getService,
]
