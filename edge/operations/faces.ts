/** Handlers of enrolment (analyses a photo), of snapshots and clips, and of lists of faces with a meta (streams or pages). */
import { sha256 } from '../../contract/digest.ts'
import { environment } from '../../contract/environment.ts'
import { badParam } from '../../contract/errors.ts'
import { REQUEST_LIMITS } from '../../contract/limits/requests.ts'
import { withLinks } from '../../contract/model/face.ts'
import { pageLinks, pageQuery, pageRequest } from '../../contract/parameters/pages.ts'
import { readHeader } from '../../wasm/decode/header.ts'
import { thumbnailCrop } from '../../wasm/imaging/thumbnail.ts'
import { jsonResponse, noContent } from '../http/context.ts'
import { streamedAnswer } from '../http/streamed.ts'
import { authorOf, viewerOf } from './forward.ts'
import { detectionHeaders, readPhoto } from './photos.ts'
import { assertQuality, livenessOf, reportedDetails, requestedAttributes } from './requested-faces.ts'
import type { CallOf } from './route.ts'
import { type SelectedPhoto, selectedPhoto } from './selected-photo.ts'

/** Header of a response that has one of several faces of a photo. */
const facesSeenHeader = ({ faces, count }: SelectedPhoto): Record<string, string> =>
  faces.length > count ? { 'x-faces-seen': String(faces.length) } : {}

export const faceHandlers = {
  async enrol(call: CallOf<'enrol'>): Promise<Response> {
    const { core, caller, params, origin, header } = call
    const requested = requestedAttributes(call)
    const file = await readPhoto(core, caller.owner, params.photo)
    // Identical files have identical hashes.
    const photoHash = await sha256(file.bytes)
    const hashed = [photoHash, { ...params, photo: file.name }]
    const idempotency = await idempotencyOf(header('idempotency-key'), hashed)
    const selection = {
      selector: params.mf_selector,
      boxes: params.bbox ?? [],
      quality: params.quality || params.min_quality !== undefined || caller.persons === true,
      ...livenessOf(params),
    }
    const analysed = await selectedPhoto(call, file.bytes, selection, 'photo')
    const checked = {
      galleries: params.galleries,
      camera: params.cam_id,
      asked: requested,
      personId: params.person_id,
      personName: params.person,
      idempotency,
      ...(params.update && { update: true }),
    }
    const preparation = { preparation: environment.id(), count: analysed.count }
    const groups = await analysed.inGroups(async (selected, from) => {
      assertQuality(selected, params.min_quality)
      const faces = selected.map(face => ({
        box: face.box,
        thumbnail: thumbnailCrop(face.thumbnail),
        ...reportedDetails(params, face),
        ...(caller.persons && { measuredQuality: face.quality?.quality }),
      }))
      // Chip and thumbnail of each face, in order.
      const pictures = selected.flatMap(({ chip, thumbnail }) => [chip, thumbnail.data])
      if (!analysed.isGrouped) return { faces, pictures }
      const thumbnails = faces.map(({ thumbnail }) => thumbnail)
      const prepared = { ...checked, ...preparation, owner: caller.owner, from, thumbnails }
      const { isRepeated } = (await core.call('faces.prepare', prepared, pictures)).response
      return isRepeated ? undefined : { faces, pictures: [] }
    })
    const request = {
      ...authorOf(caller),
      ...checked,
      photo: file.name,
      photoHash,
      meta: params.meta,
      faces: groups.flatMap(({ faces }) => faces),
      timestamp: params.timestamp,
      detectorInfo: params.detectorParams,
      ...(analysed.isGrouped && preparation),
    }
    const pictures = groups.flatMap(group => group.pictures)
    const { response } = await core.call('enrol', request, pictures)
    const results = response.faces.map(face => withLinks(face, origin))
    return jsonResponse({ results }, 200, { ...detectionHeaders(analysed), ...facesSeenHeader(analysed) })
  },

  facesWithMeta: (call: CallOf<'facesWithMeta'>) => metaFaces(call, {}),

  galleryFacesWithMeta: (call: CallOf<'galleryFacesWithMeta'>) =>
    metaFaces(call, { gallery: call.params.gallery }),
}

/** The idempotency key and a hash of the complete request; undefined without a key. Throws BAD_PARAM for a long key. */
async function idempotencyOf(key: string | undefined, request: unknown) {
  if (key === undefined || key === '') return undefined
  if (key.length > REQUEST_LIMITS.idempotencyKeyLength)
    throw badParam('Idempotency-Key', key, `At most ${REQUEST_LIMITS.idempotencyKeyLength} characters.`)
  return { key, requestHash: await sha256(JSON.stringify(request)) }
}

/** All faces as a stream, or one page of them when a page is asked for. */
async function metaFaces(
  { core, caller, params, origin, path, outsidePath }: CallOf<'facesWithMeta'>,
  scope: { gallery?: string },
): Promise<Response> {
  const { meta, max_id, min_id, limit } = params
  const request = { owner: caller.owner, ...viewerOf(caller), meta, ...scope }
  if (max_id === undefined && min_id === undefined && limit === undefined)
    return streamedAnswer(await core.stream('faces.with-meta', request), face => withLinks(face, origin))
  const page = (await core.call('faces.page', { ...request, ...pageRequest(params) })).response
  const query: Record<string, string> = outsidePath('meta') === undefined ? {} : { meta }
  return jsonResponse({
    results: page.faces.map(face => withLinks(face, origin)),
    ...pageLinks(path, { ...page, items: page.faces }, params, { ...pageQuery(params), ...query }),
  })
}

export const footageHandlers = {
  async putSnapshot({ core, caller, params: { id, snapshot } }: CallOf<'putSnapshot'>): Promise<Response> {
    if (readHeader(snapshot).format !== 'jpeg')
      throw badParam('snapshot', '(file)', 'snapshot: expected a JPEG image.')
    const hash = await sha256(snapshot)
    await core.call('face.footage', { ...authorOf(caller), id, kind: 'snapshot', hash }, [snapshot])
    return noContent()
  },

  async putClip({ core, caller, params: { id, clip } }: CallOf<'putClip'>): Promise<Response> {
    if (!isWholeMp4(clip)) throw badParam('clip', '(file)', 'clip: expected a whole MP4 file.')
    await core.call('face.footage', { ...authorOf(caller), id, kind: 'clip' }, [clip])
    return noContent()
  },
}

/** Boxes of a file at most. ffmpeg writes five for a clip. */
const MOST_BOXES = 1_000

/** Whether the bytes are an MP4 file up to the end of its last box. A file that was cut off is none. */
function isWholeMp4(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const kinds: string[] = []
  let at = 0
  while (at + 8 <= bytes.length && kinds.length < MOST_BOXES) {
    const size = view.getUint32(at)
    // 0 and 1 stand for other forms of a size, which files of these sizes do not need.
    if (size < 8) return false
    kinds.push(String.fromCharCode(...bytes.subarray(at + 4, at + 8)))
    at += size
  }
  return at === bytes.length && kinds[0] === 'ftyp' && kinds.includes('moov') && kinds.includes('mdat')
}
