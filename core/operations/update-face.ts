/** Changes of a stored face: its meta, its person and its galleries, with the vectors that follow these. */
import { badParam, ServiceError } from '../contract/errors.ts'
import { DEFAULT_GALLERY, type GalleryChange } from '../contract/model/gallery.ts'
import type { Answer, Change } from '../contract/rpc/operations.ts'
import { commitFaceChange } from '../metadata/queries/face-changes.ts'
import { faceById, type StoredFace } from '../metadata/queries/faces.ts'
import { insertIntents } from '../metadata/queries/intents.ts'
import { completeVectors } from './consistency/gallery-vectors.ts'
import { withIntent } from './consistency/intent-log.ts'
import { getFace } from './faces.ts'
import { checkGalleries, namedGalleries } from './galleries.ts'
import { friendRule } from './search/friends.ts'
import { retryOnShardLoss } from './search/retry-on-shard-loss.ts'
import type { Services } from './services.ts'

/**
 * Changes what the question gives, and answers with the face as it is then.
 *
 * Vectors are added before the metadata's transaction and removed after it: what a crash leaves between is a vector in
 * a gallery that the face is not in, which no search gives away and which is noted before.
 */
export async function updateFace(
  services: Services,
  question: Change<'face.update'>,
): Promise<Answer<'face.update'>> {
  const { owner, id, galleries: change } = question
  return retryOnShardLoss(async () => {
    // Before the turn, in which others would wait as well.
    if (change) await services.vectors.reach([id])
    // In turn: two changes of one face would each build on what the other replaces.
    return services.ownerLock(owner, async revision => {
      const face = await faceById(services.database, friendRule(services), owner, id)
      if (!face) throw new ServiceError('NOT_FOUND')
      if (change) await refuseUnknown(services, owner, change)
      await applyChange(services, face, question, revision)
      return getFace(services, { owner, id })
    })
  })
}

async function refuseUnknown(
  services: Services,
  owner: string,
  { kind, names }: GalleryChange,
): Promise<void> {
  if (kind === 'del' && names.includes(DEFAULT_GALLERY)) {
    throw badParam('galleries', DEFAULT_GALLERY, 'Every face is in the gallery "default".')
  }
  await checkGalleries(services, { owner, galleries: names, param: 'galleries' })
}

async function applyChange(
  services: Services,
  face: StoredFace,
  { meta, personId, galleries: change }: Change<'face.update'>,
  revision: number | undefined,
): Promise<void> {
  const { owner, id } = face
  const galleries = change ? galleriesAfter(face.galleries, change) : face.galleries
  const joined = galleries.filter(name => !face.galleries.includes(name))
  const left = face.galleries.filter(name => !galleries.includes(name))
  const person = typeof personId === 'number' ? { owner, id: personId, meta: meta ?? face.meta } : undefined
  const changed = await withIntent(services, async work => {
    if (joined.length > 0) {
      await insertIntents(services.database, work, [{ owner, id, galleries: joined }])
      // Without one, its deletion, which removes the vectors after the row, is under way.
      if (!(await completeVectors(services.vectors, face, joined))) throw new ServiceError('NOT_FOUND')
    }
    return commitFaceChange(services.database, {
      work,
      owner,
      id,
      meta,
      personId,
      person,
      galleries: change && galleries,
      left,
      revision,
    })
  })
  if (!changed) await sayWhatIsGone(services, face, galleries)
}

/** The named galleries afterwards, sorted. */
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

/** Throws NOT_FOUND when the face was deleted meanwhile, else BAD_PARAM: then a gallery was. */
async function sayWhatIsGone(
  services: Services,
  { owner, id }: StoredFace,
  galleries: readonly string[],
): Promise<never> {
  await getFace(services, { owner, id })
  throw badParam('galleries', galleries, 'A gallery was deleted meanwhile.')
}
