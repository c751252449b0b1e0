/** Examples of successful responses for the OpenAPI documents. Tests compare them with responses of a running service. */
import type { Version } from '../operations/route.ts'

const CAMERA_ID = '709d6c9d-9ab9-442f-8e31-40c49d38fa30'
const FACE_ID = 4596074098019885
const BOX = { x1: 426, y1: 372, x2: 605, y2: 604 }
const PROBE_BOX = { x1: 177, y1: 155, x2: 252, y2: 251 }
const PHOTO_HASH = '8ecae4b267b2d3169e06e00c7dee97097aa2a94635d45216f7732a5f4943cb51'
const TIMESTAMP = '2026-11-22T09:57:24.539000'

const picture = (file: string): string =>
  `https://mien.example/pictures/7a355457c44edb86e506caf8/${FACE_ID}/${file}?expires=1795428000&key=b9c51cab&signature=uOlQDc5b`

const gallery = { name: 'staff', retention_days: 365 }

const camera = {
  id: CAMERA_ID,
  meta: 'entrance',
  url: 'rtsp://camera.example/1',
  detector: 'door-client',
  rot: [1920, 1080, 0, 0],
  enabled: true,
  retention_days: 30,
}

const token = {
  id: '5f0c1d2e3a4b',
  name: 'front door',
  scope: 'admin',
  created: TIMESTAMP,
  valid: true,
}

const newToken = { ...token, id: '4e1b6a0f9c2d', scope: 'camera', expires: TIMESTAMP, rate: 5 }

/** The text of no token. */
const TOKEN = 'mien_...'

const auditEntry = {
  seq: 812,
  time: TIMESTAMP,
  actor: 'token 5f0c1d2e3a4b',
  action: 'token.create',
  subject: { token: '4e1b6a0f9c2d' },
}

const service = {
  version: '0.2.0',
  pack: 'standard',
  embedder: 'standard-1',
  started: TIMESTAMP,
  disk_full: false,
  shards: { live: 1, total: 1, available: [true] },
  calibration: {
    table: 'default',
    thresholds: [{ name: 'medium', confidence: 0.6616, fmr: 0.001, tmr: 0.99 }],
    curve: [
      { score: 0.1, confidence: 0.2 },
      { score: 0.9, confidence: 0.9 },
    ],
  },
  backup: {},
  durations: [{ operation: 'identify', p50: 0.12, p99: 0.4 }],
}

const person = { id: 7, meta: 'Ann' }

const quality = {
  quality: 0.9412,
  score: 0.9963,
  size: 179,
  sharpness: 0.5055,
  brightness: 0.3489,
  contrast: 0.1572,
  yaw: -28.6,
  pitch: -20.4,
  roll: 2.8,
}

const event = {
  id: FACE_ID,
  friend: false,
  meta: 'Ann',
  photo_hash: PHOTO_HASH,
  photo: 'ann.jpg',
  cam_id: CAMERA_ID.replaceAll('-', ''),
  person_id: 7,
  timestamp: TIMESTAMP,
  ...BOX,
}

const personEvent = {
  person_id: 7,
  face_id: FACE_ID,
  cam_id: CAMERA_ID.replaceAll('-', ''),
  meta: 'Ann',
  screenshot: picture('thumbnail.jpg'),
  timestamp: TIMESTAMP,
}

const liveness = { liveness1: 0.9998, liveness2: 0.9991 }

/** Attributes that v1 adds on request. */
const attributes = (version: Version) =>
  version === 'v1' ? { age: 24.95, gender: 'female', emotions: ['neutral', 'happy'] } : {}

const enrolled = (version: Version) => ({
  id: FACE_ID,
  timestamp: TIMESTAMP,
  photo: 'ann.jpg',
  photo_hash: PHOTO_HASH,
  thumbnail: picture('thumbnail.jpg'),
  normalized: picture('normalized.png'),
  ...BOX,
  meta: 'Ann',
  galleries: ['default', 'staff'],
  friend: false,
  cam_id: CAMERA_ID.replaceAll('-', ''),
  ...attributes(version),
})

/** Examples by operation name. */
function examplesOf(version: Version): Record<string, unknown> {
  const face = { ...enrolled(version), person_id: 7 }
  const lastPage = { prev_page: null, next_page: null }
  const faces = { results: [face] }
  const facePage = { ...faces, ...lastPage }
  const metaPage = { results: [{ meta: 'Ann', count: 1, face }], ...lastPage }
  const matches = {
    results: { '[177, 155, 252, 251]': [{ confidence: 0.9687, face }] },
    liveness: { '[177, 155, 252, 251]': 0.9991 },
  }
  const events = { results: [event] }
  return {
    detect: { faces: [{ ...BOX, quality, liveness: 0.9998, ...attributes(version) }], orientation: 1 },
    verify: {
      results: [{ bbox1: BOX, bbox2: PROBE_BOX, confidence: 0.9687, verified: true, ...liveness }],
      verified: true,
    },
    identify: matches,
    identifyInGallery: matches,
    enrol: { results: [enrolled(version)] },
    getFace: face,
    updateFace: face,
    listFaces: facePage,
    listGalleryFaces: facePage,
    facesWithMeta: faces,
    galleryFacesWithMeta: faces,
    listMetas: metaPage,
    listGalleryMetas: metaPage,
    listGalleries: { results: ['default', 'staff'] },
    createNamedGallery: gallery,
    createGallery: gallery,
    getGallery: gallery,
    changeGallery: gallery,
    listPersons: { results: [person] },
    getPerson: person,
    personHistory: { results: [personEvent] },
    searchHistory: events,
    browseHistory: events,
    createCamera: camera,
    getCamera: camera,
    changeCamera: camera,
    listCameras: [camera],
    listTokens: { results: [token] },
    createToken: { ...newToken, token: TOKEN },
    rotateToken: { ...newToken, token: TOKEN, replaced: { ...newToken, id: token.id, revoked: TIMESTAMP } },
    listAuditLog: { results: [auditEntry], next_page: null },
    verifyAuditLog: { intact: true, verified_from: 1, verified_to: 812, last: 812, since: TIMESTAMP },
    getService: service,
    getCurrentToken: {
      ...token,
      owner: 'ann',
      permissions: ['read_token', 'read', 'read_cameras', 'post', 'change', 'administer'],
    },
  }
}

/** Example response of an operation; undefined for an operation without a response body. */
export const exampleOf = (version: Version, operation: string): unknown => examplesOf(version)[operation]
