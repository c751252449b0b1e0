/** Handlers of detect, verify and identify: they read and analyse photos at the edge. */
import { badParam, ServiceError, wrongValue } from '../../contract/errors.ts'
import { FACE_LIMITS, SEARCH_LIMITS } from '../../contract/limits/faces.ts'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import type { Attributes, RequestedAttributes } from '../../contract/model/attributes.ts'
import { boxKey, boxOf } from '../../contract/model/bbox.ts'
import { withLinks } from '../../contract/model/face.ts'
import { byFaceDetail, FACE_DETAIL_NAMES } from '../../contract/model/face-details.ts'
import { DEFAULT_GALLERY } from '../../contract/model/gallery.ts'
import type { Selection } from '../../contract/model/photo-analysis.ts'
import type { RpcResponse } from '../../contract/operations/messages.ts'
import { A_PHOTO, matchConditions, type Upload } from '../../contract/parameters/photos.ts'
import { thumbnailCrop } from '../../wasm/imaging/thumbnail.ts'
import type { Core } from '../core-client/core-client.ts'
import { jsonResponse } from '../http/context.ts'
import { viewerOf } from './forward.ts'
import {
  type LivenessParameters,
  livenessOf,
  reportedDetails,
  requestedAttributes,
  requestedBoxes,
  type SelectedFaces,
} from './requested-faces.ts'
import type { CallOf, OperationCall } from './route.ts'
import { type OtherPhoto, type SelectedPhoto, selectedPhoto } from './selected-photo.ts'

/** Headers of a response that uses these photos: parts that detection did not examine, and faces that the selection left out. */
export function detectionHeaders(
  ...photos: readonly Pick<SelectedPhoto, 'limited' | 'tooPoor'>[]
): Record<string, string> {
  const leftOut = photos.reduce((sum, { tooPoor = 0 }) => sum + tooPoor, 0)
  return {
    ...(photos.some(({ limited }) => limited) && { 'x-detection': 'limited' }),
    ...(leftOut > 0 && { 'x-faces-left-out': String(leftOut) }),
  }
}

export const photoHandlers = {
  async detect(call: CallOf<'detect'>): Promise<Response> {
    const { core, params } = call
    const requested = requestedAttributes(call)
    const given = requestedBoxes(params)
    const details = { ...byFaceDetail(name => params[name]), ...livenessOf(params) }
    const requestsDetails = FACE_DETAIL_NAMES.some(name => details[name] === true)
    const selection: Selection | undefined =
      requested || requestsDetails || given.boxes.length > 0
        ? { selector: 'any', ...given, ...details }
        : undefined
    const photo = await analyzed(call, params.photo, selection, 'photo')
    const { faces: boxes, orientation, reason } = photo
    const groups = await photo.inGroups(async selected => {
      const measured = selected.map(face => reportedDetails(params, face))
      const found = requested && selected.length > 0 ? await attributesOf(core, requested, selected) : []
      return measured.map((one, i) => ({ ...one, ...found[i] }))
    })
    const found = groups.flat()
    const results = boxes.map((box, i) => ({ ...box, ...found[i] }))
    return jsonResponse({ faces: results, orientation, reason }, 200, detectionHeaders(photo))
  },

  async verify(call: CallOf<'verify'>): Promise<Response> {
    const { params } = call
    const { mf_selector: selector, bbox1 = [], bbox2 = [], photo2: source2 } = params
    checkReference(params)
    const chosen = { selector, ...livenessOf(params) }
    // Sequential: two decoded photos may not fit into the memory of the isolate.
    const given1 = { ...chosen, boxes: bbox1, boxesParam: 'bbox1' }
    const known2 = { param: 'photo2', count: bbox2.length || 1 }
    const photo1 = await analyzed(call, params.photo1, given1, 'photo1', known2)
    const given2 = { ...chosen, boxes: bbox2, boxesParam: 'bbox2' }
    const known1 = { param: 'photo1', count: photo1.count }
    const photo2 = source2 === undefined ? undefined : await analyzed(call, source2, given2, 'photo2', known1)
    const { first, second, confidences, verdicts, person } = await comparedFaces(call, photo1, photo2)
    const references = photo2 ? second : [undefined]
    const { threshold } = params
    const results = first.flatMap((a, i) =>
      references.map((b, j) => {
        const confidence = confidences[i]?.[j] ?? 0
        const verdict = verdicts?.[i]
        const pair = {
          bbox1: boxOf(a.box),
          ...(b ? { bbox2: boxOf(b.box) } : { person }),
          confidence,
          ...(verdict && { verdict }),
          ...(params.liveness && {
            liveness1: a.liveness,
            liveness2: b?.liveness,
          }),
        }
        return threshold === 'none' ? pair : { ...pair, verified: confidence >= threshold }
      }),
    )
    const headers = detectionHeaders(photo1, ...(photo2 ? [photo2] : []))
    if (threshold === 'none') return jsonResponse({ results }, 200, headers)
    // Each face of the first photo has a match on the second photo.
    const verified = confidences.every(row => row.some(confidence => confidence >= threshold))
    return jsonResponse({ results, verified }, 200, headers)
  },

  identify: (call: CallOf<'identify'>) => matchesIn(call.params.gallery ?? DEFAULT_GALLERY, call),

  async identifyInGallery(call: CallOf<'identifyInGallery'>): Promise<Response> {
    const { gallery } = call.params
    const other = call.outsidePath('gallery')
    if (other !== undefined && other !== null && other !== '' && other !== gallery)
      throw badParam('gallery', other, 'The path names another gallery.')
    return matchesIn(gallery, call)
  },
}

/** Throws BAD_PARAM unless the request has either a second photo or a person. */
function checkReference({
  photo2,
  bbox2,
  person_id,
}: Pick<CallOf<'verify'>['params'], 'photo2' | 'bbox2' | 'person_id'>) {
  if (person_id === undefined) {
    if (photo2 === undefined) throw wrongValue('photo2', undefined, `${A_PHOTO}; or a person in person_id`)
  } else if (photo2 !== undefined || bbox2)
    throw badParam(
      'person_id',
      person_id,
      'person_id stands in the place of photo2 and bbox2. Leave these out.',
    )
}

/** Reads and analyses a photo. Throws the errors of readPhoto and of selectedPhoto. With another photo, they name this one. */
async function analyzed(
  call: OperationCall<LivenessParameters>,
  source: Upload | string,
  selection: Selection | undefined,
  param: string,
  other?: OtherPhoto,
): Promise<SelectedPhoto> {
  try {
    const { bytes } = await readPhoto(call.core, call.caller.owner, source)
    return await selectedPhoto(call, bytes, selection, param, other)
  } catch (error) {
    if (!other || !(error instanceof ServiceError) || !PHOTO_CODES.has(error.code)) throw error
    throw new ServiceError(error.code, { ...error.detail, param }, { cause: error.cause })
  }
}

const PHOTO_CODES = new Set<string>(['BAD_IMAGE', 'PHOTO_TOO_LARGE', 'PHOTO_UNREACHABLE'])

type ComparedFace = Pick<SelectedFaces[number], 'box' | 'liveness'>

/** Faces of two photos and their confidences: `confidences[i][j]` is of `first[i]` and `second[j]`. */
interface ComparedFaces extends RpcResponse<'compare'> {
  first: ComparedFace[]
  second: ComparedFace[]
}

/** Compares all faces of two photos, or the faces of one photo with a person. At most one of the photos has several groups. */
async function comparedFaces(
  call: CallOf<'verify'>,
  photo1: SelectedPhoto,
  photo2: SelectedPhoto | undefined,
): Promise<ComparedFaces> {
  const compare = (first: SelectedFaces, second: SelectedFaces) => compareFaces(call, first, second)
  if (photo2?.isGrouped) {
    const [first = []] = await photo1.inGroups(async faces => faces)
    const groups = await photo2.inGroups(second => compare(first, second))
    return {
      ...groups[0]!,
      second: groups.flatMap(group => group.second),
      confidences: first.map((_, i) => groups.flatMap(({ confidences }) => confidences[i] ?? [])),
    }
  }
  const [second = []] = photo2 ? await photo2.inGroups(async faces => faces) : []
  const groups = await photo1.inGroups(first => compare(first, second))
  return {
    ...groups[0]!,
    first: groups.flatMap(group => group.first),
    confidences: groups.flatMap(({ confidences }) => confidences),
    verdicts: groups.flatMap(({ verdicts }) => verdicts ?? []),
  }
}

async function compareFaces(
  { core, caller, params: { person_id } }: CallOf<'verify'>,
  first: SelectedFaces,
  second: SelectedFaces,
): Promise<ComparedFaces> {
  const request = {
    first: first.length,
    ...viewerOf(caller),
    ...(person_id !== undefined && { person: { owner: caller.owner, id: person_id } }),
  }
  const reported = { first: first.map(reportedFace), second: second.map(reportedFace) }
  const chips = [...first, ...second].map(face => face.chip)
  return { ...reported, ...(await core.call('compare', request, chips)).response }
}

const reportedFace = ({ box, liveness }: ComparedFace): ComparedFace => ({ box, liveness })

async function matchesIn(
  gallery: string,
  call: CallOf<'identify'> | CallOf<'identifyInGallery'>,
): Promise<Response> {
  const { core, caller, params, origin } = call
  const { owner } = caller
  const selection = { selector: params.mf_selector, ...requestedBoxes(params), ...livenessOf(params) }
  const photo = await analyzed(call, params.photo, selection, 'photo')
  const wanted = params.n === 0 ? FACE_LIMITS.matches : params.n
  const limit = Math.min(wanted, Math.floor(FACE_LIMITS.matchesPerAnswer / photo.count))
  const isOfPersons = params.target === 'persons'
  const request = {
    owner,
    gallery,
    limit,
    strict: params.strict,
    ...viewerOf(caller),
    ...matchConditions(params, isOfPersons ? SEARCH_LIMITS.probableFpir : undefined),
    ...(isOfPersons && { target: params.target }),
  }
  const groups = await photo.inGroups(async selected => {
    const faces = selected.map(({ box, liveness }) => ({ key: boxKey(box), liveness }))
    const chips = selected.map(face => face.chip)
    return { faces, ...(await core.call('identify', request, chips)).response }
  })
  const faces = groups.flatMap(group => group.faces)
  const found = groups.flatMap(({ matches }) => matches)
  const results = Object.fromEntries(
    faces.map(({ key }, i) => {
      const matches = found[i] ?? []
      return [key, matches.map(match => ({ ...match, face: withLinks(match.face, origin) }))]
    }),
  )
  const liveness = Object.fromEntries(faces.map(face => [face.key, face.liveness]))
  const body = { results, ...(params.liveness && { liveness }), search: groups[0]?.bound }
  const least = Math.min(...groups.map(({ live }) => live))
  const live = { 'x-live-servers': `${least}/${groups[0]?.total}` }
  return jsonResponse(body, 200, { ...live, ...detectionHeaders(photo) })
}

async function attributesOf(
  core: Core,
  asked: RequestedAttributes,
  selected: SelectedFaces,
): Promise<Attributes[]> {
  const thumbnails = asked.emotions ? selected.map(({ thumbnail }) => thumbnail) : []
  const pictures = [...selected.map(({ chip }) => chip), ...thumbnails.map(({ data }) => data)]
  const request = { asked, thumbnails: thumbnails.map(thumbnailCrop) }
  return (await core.call('attributes', request, pictures)).response.faces
}

interface PhotoFile {
  bytes: Uint8Array<ArrayBuffer>
  /** URL as sent, or file name cut to PHOTO_LIMITS.nameLength characters; "" when the file has no name. */
  name: string
}

/**
 * Core fetches URLs: a Worker cannot connect to the exact address that it checked. A fetch counts against the owner's share
 * of concurrent fetches. Throws BAD_IMAGE, PHOTO_TOO_LARGE or PHOTO_UNREACHABLE.
 */
export async function readPhoto(core: Core, owner: string, source: Upload | string): Promise<PhotoFile> {
  const bytes = typeof source === 'string' ? await fetchPhoto(core, owner, source) : unshared(source.bytes)
  const name = typeof source === 'string' ? source : shortened(source.name)
  return { bytes, name }
}

/** Cuts a long name and removes half of a surrogate pair at the end. */
const shortened = (name: string) => name.slice(0, PHOTO_LIMITS.nameLength).replace(/[\uD800-\uDBFF]$/, '')

async function fetchPhoto(core: Core, owner: string, url: string): Promise<Uint8Array<ArrayBuffer>> {
  const { blobs } = await core.call('photo.fetch', { owner, url })
  const [bytes] = blobs
  if (!bytes) throw new ServiceError('PHOTO_UNREACHABLE')
  return unshared(bytes)
}

/** The same bytes, typed for APIs that refuse shared memory. Bodies and frames never use shared memory. */
const unshared = (bytes: Uint8Array) => bytes as Uint8Array<ArrayBuffer>
