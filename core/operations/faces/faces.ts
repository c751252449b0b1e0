/**
 * Stored faces: reads a face, a page of faces or a page of metas. Changes meta, person, review and galleries of a face, with its
 * vectors.
 */
import { badParam, ServiceError } from '../../../contract/errors.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import type { Face } from '../../../contract/model/face.ts'
import { DEFAULT_GALLERY, type GalleryChange, storeGallery } from '../../../contract/model/gallery.ts'
import { facePersonOf, nameOfPerson } from '../../../contract/model/person.ts'
import type { Change, RpcRequest, RpcResponse, StreamRequest } from '../../../contract/operations/messages.ts'
import { commitFaceChange } from '../../metadata/face-changes/enrolments.ts'
import { friendRule } from '../../metadata/faces/event-conditions.ts'
import { faceById, facePage, type StoredFace } from '../../metadata/faces/faces.ts'
import { recordIntents } from '../../metadata/faces/intents.ts'
import { metaPage } from '../../metadata/faces/metas.ts'
import { personById, type StoredPerson } from '../../metadata/persons/persons.ts'
import { completeVectors } from '../consistency/face-vectors.ts'
import { withIntent } from '../consistency/intent-log.ts'
import { faceAnswer, faceAnswers } from '../face-answer.ts'
import { checkGalleries, galleryFilter, namedGalleries } from '../galleries/galleries.ts'
import { personWithId, personWithName, refuseTwoPersons } from '../persons/assign.ts'
import { compareWithPersons } from '../search/closest/closest-persons.ts'
import { retryOnShardLoss } from '../search/closest/live-shards.ts'
import { judgementOf, verdictField } from '../search/judgement/judgement.ts'
import type { Services } from '../services.ts'

/** Throws NOT_FOUND when the owner does not have this face. With `who`, rejects with StoreUnavailable. */
export async function getFace(
  services: Services,
  { owner, id, who }: RpcRequest<'face.get'>,
): Promise<RpcResponse<'face.get'>> {
  const face = await faceById(services.database, friendRule(services), owner, id)
  if (!face) throw new ServiceError('NOT_FOUND')
  const known = who ? await retryOnShardLoss(() => whoIs(services, face)) : undefined
  return { face: { ...faceAnswer(services, face), who: known } }
}

/** One page of the faces that meet the filter, by descending id. Throws NOT_FOUND when the gallery does not exist. */
export async function listFaces(
  services: Services,
  { owner, gallery, filter: events, ...request }: RpcRequest<'faces.page'>,
): Promise<RpcResponse<'faces.page'>> {
  const scope = await galleryFilter(services, owner, gallery)
  const { faces, newer, older } = await facePage(services.database, friendRule(services), owner, {
    ...request,
    ...scope,
    events,
  })
  return { faces: faces.map(face => faceAnswer(services, face)), newer, older }
}

/**
 * Changes the given fields and returns the changed face. Throws NOT_FOUND, and BAD_PARAM for an unknown gallery.
 *
 * Vectors are added before the transaction of the metadata and removed after it. A crash between these steps leaves a vector in a
 * gallery without the face. Searches ignore this vector, and reconciliation removes it by its intent.
 */
export async function updateFace(
  services: Services,
  request: Change<'face.update'>,
): Promise<RpcResponse<'face.update'>> {
  const { owner, id, notPerson, galleries: change } = request
  refuseTwoPersons(request)
  return retryOnShardLoss(async () => {
    // Wait for shards before taking the lock: other requests would wait for the lock.
    if (change) await services.vectors.reach([id])
    // The lock prevents lost updates of concurrent changes of one face.
    return services.ownerLock(owner, async revision => {
      const face = await faceById(services.database, friendRule(services), owner, id)
      if (!face) throw new ServiceError('NOT_FOUND')
      if (change) await refuseUnknown(services, owner, change)
      if (notPerson !== undefined && !(await personById(services.database, owner, notPerson)))
        throw badParam('not_person', notPerson, 'This person does not exist.')
      await applyChange(services, face, request, revision)
      return getFace(services, { owner, id })
    })
  })
}

async function refuseUnknown(services: Services, owner: string, { kind, names }: GalleryChange) {
  if (kind === 'del' && names.includes(DEFAULT_GALLERY)) {
    throw badParam('galleries', DEFAULT_GALLERY, 'Every face is in the gallery "default".')
  }
  await checkGalleries(services, { owner, galleries: names, param: 'galleries' })
}

async function applyChange(
  services: Services,
  face: StoredFace,
  { meta, personId: sent, personName, notPerson, galleries: change, review }: Change<'face.update'>,
  revision: number | undefined,
) {
  const { owner, id } = face
  // An edge of an earlier version sends digits as a text.
  const named = personName === undefined ? undefined : await personWithName(services, owner, personName)
  const given = named?.id ?? (sent === undefined ? undefined : facePersonOf(sent))
  const personId = given === undefined && notPerson === face.personId ? null : given
  const galleries = change ? galleriesAfter(face.galleries, change) : face.galleries
  const joined = galleries.filter(name => !face.galleries.includes(name))
  const left = face.galleries.filter(name => !galleries.includes(name))
  const person =
    typeof personId === 'number'
      ? (named ?? (await personWithId(services, { owner, id: personId, meta: meta ?? face.meta })))
      : undefined
  const moves = person !== undefined || personId === null
  const shown = meta ?? (moves ? await metaWithPerson(services, face, person) : undefined)
  const changed = await withIntent(services, async work => {
    if (joined.length > 0) {
      await recordIntents(services.database, work, [{ owner, id, galleries: joined }])
      // No vector in `default`: the face is being deleted. A deletion removes the row before the vectors.
      if (!(await completeVectors(services.vectors, face, joined))) throw new ServiceError('NOT_FOUND')
    }
    return commitFaceChange(services.database, {
      work,
      owner,
      id,
      meta: shown,
      personId,
      review: review === 'none' ? null : review,
      excluded: notPerson ?? previousPerson(face, given),
      person,
      galleries: change && galleries,
      left,
      revision,
    })
  })
  if (!changed) await throwMissing(services, face, galleries)
}

/** The name of the next person, or none, for a face without a meta or with the name of its present person. Undefined: the meta stays. */
async function metaWithPerson(
  { database }: Services,
  { owner, meta, personId }: StoredFace,
  next: StoredPerson | undefined,
): Promise<string | undefined> {
  const present = await personById(database, owner, personId)
  if (meta !== '' && meta !== present?.meta) return undefined
  if (!next) return ''
  return nameOfPerson(next.meta) || undefined
}

/** The person that the caller takes the face away from by giving it another one. */
const previousPerson = ({ personId }: StoredFace, given: number | string | undefined) =>
  given !== undefined && typeof personId === 'number' && personId !== given ? personId : undefined

/** Named galleries after the change, sorted. */
function galleriesAfter(now: readonly string[], { kind, names }: GalleryChange): string[] {
  switch (kind) {
    case 'add':
      return namedGalleries([...now, ...names])
    case 'del':
      return now.filter(name => !names.includes(name))
    case 'set':
      return namedGalleries(names)
  }
}

/** Throws NOT_FOUND when the face was deleted in the meantime, else BAD_PARAM: a gallery was deleted. */
async function throwMissing(
  services: Services,
  { owner, id }: StoredFace,
  galleries: readonly string[],
): Promise<never> {
  await getFace(services, { owner, id })
  throw badParam('galleries', galleries, 'A gallery was deleted during this request.')
}

/** The person of a face, and how alike the face and the other faces of the person are. Rejects with StoreUnavailable. */
async function whoIs(
  services: Pick<Services, 'database' | 'vectors' | 'scale' | 'alikenesses'>,
  { id, owner, personId }: StoredFace,
): Promise<Face['who']> {
  const { database, vectors } = services
  const stored = await personById(database, owner, personId)
  if (!stored) return undefined
  const person = { id: stored.id, meta: stored.meta }
  const probe = await vectors.get({ gallery: storeGallery(owner, DEFAULT_GALLERY), id })
  if (!probe) return { person }
  const scope = { owner, gallery: DEFAULT_GALLERY, without: id }
  const [compared] = await compareWithPersons(services, scope, probe, [person.id])
  if (!compared) return { person, verdict: 'certain' }
  const { confidence } = compared
  const judgement = await judgementOf(services, { owner, gallery: DEFAULT_GALLERY }, 'persons')
  return { person, confidence, ...verdictField(judgement, confidence) }
}

/** One page of metas with counts and first faces. Throws NOT_FOUND when the gallery does not exist. */
export async function listMetas(
  services: Services,
  { owner, gallery, ...request }: RpcRequest<'metas.page'>,
): Promise<RpcResponse<'metas.page'>> {
  const filter = await galleryFilter(services, owner, gallery)
  const page = await metaPage(services.database, owner, { ...request, ...filter })
  const firsts = page.metas.map(({ first }) => first)
  const faces = await faceAnswers(services, owner, firsts)
  return {
    ...page,
    metas: page.metas.flatMap(({ meta, count, first }) => {
      const face = faces.get(first)
      // Undefined: the face was deleted between the two queries.
      return face ? [{ meta, count, face }] : []
    }),
  }
}

/** Yields all faces with exactly this meta in chunks, newest first. Throws NOT_FOUND when the gallery does not exist. */
async function* facesWithMeta(
  services: Services,
  { owner, meta, gallery }: StreamRequest<'faces.with-meta'>,
): AsyncGenerator<Face[], Record<string, never>> {
  const filter = { meta, ...(await galleryFilter(services, owner, gallery)) }
  for (let maxId: number | undefined; ; ) {
    const request = { ...filter, maxId, limit: FACE_LIMITS.streamChunk }
    const { faces, older } = await facePage(services.database, friendRule(services), owner, request)
    if (faces.length > 0) yield faces.map(face => faceAnswer(services, face))
    if (!older) return {}
    maxId = faces.at(-1)?.id
  }
}

export const faceHandlers = {
  'face.get': getFace,
  'faces.page': listFaces,
  'face.update': updateFace,
  'metas.page': listMetas,
  'faces.with-meta': facesWithMeta,
}
