/** Handlers of detect, verify and identify: they read and analyse photos at the edge. */
import { badParam, ServiceError, unexpected } from '../../contract/errors.ts'
import { FACE_LIMITS, SEARCH_LIMITS } from '../../contract/limits/faces.ts'
import { PHOTO_LIMITS } from '../../contract/limits/photos.ts'
import type { Attributes, RequestedAttributes } from '../../contract/model/attributes.ts'
import { boxKey, boxOf } from '../../contract/model/bbox.ts'
import { withLinks } from '../../contract/model/face.ts'
import { byFaceDetail, FACE_DETAIL_NAMES } from '../../contract/model/face-details.ts'
import { DEFAULT_GALLERY } from '../../contract/model/gallery.ts'
import type { Selection } from '../../contract/model/photo-analysis.ts'
import { A_PHOTO, matchConditions, type Upload } from '../../contract/parameters/photos.ts'
import { thumbnailCrop } from '../../wasm/imaging/thumbnail.ts'
import type { PhotoAnalysis } from '../../wasm/pipeline.ts'
import type { Core } from '../core-client/core-client.ts'
import { jsonResponse } from '../http/context.ts'
import { viewedBy } from './forward.ts'
import {
  assertLive,
  type LivenessParameters,
  livenessOf,
  reportedDetails,
  requestedAttributes,
  requestedBoxes,
} from './requested-faces.ts'
import type { CallOf, OperationCall } from './route.ts'

/** Header of a response that uses these photos: the time budget did not cover every place that may show small faces. */
export const detectionHeader = (
  ...photos: readonly { readonly limited: boolean }[]
): Record<string, string> => (photos.some(({ limited }) => limited) ? { 'x-detection': 'limited' } : {})

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
    const analysed = await analyzed(call, params.photo, selection, 'photo')
    const { faces: boxes, orientation, reason, selected } = analysed
    const found = requested && selected.length > 0 ? await attributesOf(core, requested, selected) : []
    const results = boxes.map((box, i) => ({
      ...box,
      ...reportedDetails(params, selected[i]),
      ...found[i],
    }))
    return jsonResponse({ faces: results, orientation, reason }, 200, detectionHeader(analysed))
  },

  async verify(call: CallOf<'verify'>): Promise<Response> {
    const { core, params } = call
    const { mf_selector: selector, bbox1 = [], bbox2 = [], photo2: source2, person_id } = params
    checkReference(params)
    const chosen = { selector, ...livenessOf(params) }
    // Sequential: two decoded photos may not fit into the memory of the isolate.
    const given1 = { ...chosen, boxes: bbox1, boxesParam: 'bbox1' }
    const photo1 = await analyzed(call, params.photo1, given1, 'photo1')
    const given2 = { ...chosen, boxes: bbox2, boxesParam: 'bbox2' }
    const photo2 = source2 === undefined ? undefined : await analyzed(call, source2, given2, 'photo2')
    const [first, second = []] = [photo1.selected, photo2?.selected]
    const chips = [...first, ...second].map(face => face.chip)
    const request = {
      first: first.length,
      ...viewedBy(call.caller),
      ...(person_id !== undefined && { person: { owner: call.caller.owner, id: person_id } }),
    }
    const { confidences, person } = (await core.call('compare', request, chips)).response
    const references = photo2 ? second : [undefined]
    const { threshold } = params
    const results = first.flatMap((a, i) =>
      references.map((b, j) => {
        const confidence = confidences[i]?.[j] ?? 0
        const pair = {
          bbox1: boxOf(a.box),
          ...(b ? { bbox2: boxOf(b.box) } : { person }),
          confidence,
          ...(params.liveness && {
            liveness1: a.liveness,
            ...(b && { liveness2: b.liveness }),
          }),
        }
        return threshold === 'none' ? pair : { ...pair, verified: confidence >= threshold }
      }),
    )
    const headers = detectionHeader(photo1, ...(photo2 ? [photo2] : []))
    if (threshold === 'none') return jsonResponse({ results }, 200, headers)
    // Each face of the first photo has a match on the second photo.
    const verified = confidences.every(row => row.some(confidence => confidence >= threshold))
    return jsonResponse({ results, verified }, 200, headers)
  },

  identify: (call: CallOf<'identify'>): Promise<Response> =>
    matchesIn(call.params.gallery ?? DEFAULT_GALLERY, call),

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
}: Pick<CallOf<'verify'>['params'], 'photo2' | 'bbox2' | 'person_id'>): void {
  if (person_id === undefined) {
    if (photo2 === undefined) throw unexpected('photo2', undefined, `${A_PHOTO}; or a person in person_id`)
  } else if (photo2 !== undefined || bbox2)
    throw badParam(
      'person_id',
      person_id,
      'person_id stands in the place of photo2 and bbox2. Leave these out.',
    )
}

/** Reads and analyses a photo. Throws LIVENESS_FAILED, and the errors of readPhoto and of the analysis. */
async function analyzed(
  call: OperationCall<LivenessParameters>,
  source: Upload | string,
  selection: Selection | undefined,
  param: string,
): Promise<PhotoAnalysis> {
  const { bytes } = await readPhoto(call.core, call.caller.owner, source)
  const analysis = await call.analyze(bytes, selection, param)
  assertLive(analysis.selected, call.params, param)
  return analysis
}

async function matchesIn(
  gallery: string,
  call: CallOf<'identify'> | CallOf<'identifyInGallery'>,
): Promise<Response> {
  const { core, caller, params, origin } = call
  const { owner } = caller
  const selection = { selector: params.mf_selector, ...requestedBoxes(params), ...livenessOf(params) }
  const analysed = await analyzed(call, params.photo, selection, 'photo')
  const { selected } = analysed
  const limit = params.n === 0 ? FACE_LIMITS.matches : params.n
  const isOfPersons = params.target === 'persons'
  const request = {
    ...{ owner, gallery, limit, strict: params.strict },
    ...viewedBy(caller),
    ...matchConditions(params, isOfPersons ? SEARCH_LIMITS.probableFpir : undefined),
    ...(isOfPersons && { target: params.target }),
  }
  const chips = selected.map(face => face.chip)
  const found = (await core.call('identify', request, chips)).response
  const results = Object.fromEntries(
    selected.map(({ box }, i) => {
      const matches = found.matches[i] ?? []
      return [boxKey(box), matches.map(match => ({ ...match, face: withLinks(match.face, origin) }))]
    }),
  )
  const liveness = Object.fromEntries(selected.map(face => [boxKey(face.box), face.liveness]))
  const body = { results, ...(params.liveness && { liveness }), search: found.bound }
  const live = { 'x-live-servers': `${found.live}/${found.total}` }
  return jsonResponse(body, 200, { ...live, ...detectionHeader(analysed) })
}

async function attributesOf(
  core: Core,
  asked: RequestedAttributes,
  selected: PhotoAnalysis['selected'],
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
const shortened = (name: string): string =>
  name.slice(0, PHOTO_LIMITS.nameLength).replace(/[\uD800-\uDBFF]$/, '')

async function fetchPhoto(core: Core, owner: string, url: string): Promise<Uint8Array<ArrayBuffer>> {
  const { blobs } = await core.call('photo.fetch', { owner, url })
  const [bytes] = blobs
  if (!bytes) throw new ServiceError('PHOTO_UNREACHABLE')
  return unshared(bytes)
}

/** The same bytes, typed for APIs that refuse shared memory. Bodies and frames never use shared memory. */
const unshared = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>
