/** Changes of a stored face: its meta, its person and its galleries, with the vectors that follow these. */
import { badParam, ServiceError } from '../contract/errors.ts'
import { DEFAULT_GALLERY, type GalleryChange } from '../contract/model/gallery.ts'
import type { Answer, Change } from '../contract/rpc/operations.ts'
import { commitFaceChange } from '../metadata/queries/face-changes.ts'
import { faceById, type StoredFace } from '../metadata/queries/faces.ts'
import { insertNotes } from '../metadata/queries/intents.ts'
import { completeVectors } from './consistency/gallery-vectors.ts'
import { noted } from './consistency/intent-log.ts'
import { getFace } from './faces.ts'
import { checkGalleries, namedGalleries } from './galleries.ts'
import { friendRule } from './search/friends.ts'
import { onceMore } from './search/retry-on-shard-loss.ts'
import type { Parts } from './services.ts'

/**
 * Changes what the question gives, and answers with the face as it is then.
 *
 * Vectors are added before the metadata's transaction and removed after it: what a crash leaves between is a vector in
 * a gallery that the face is not in, which no search gives away and which is noted before.
 */
export async function updateFace(
  parts: Parts,
  question: Change<'face.update'>,
): Promise<Answer<'face.update'>> {
  const { owner, id, galleries: change } = question
  return onceMore(async () => {
    // Before the turn, in which others would wait as well.
    if (change) await parts.vectors.reach([id])
    // In turn: two changes of one face would each build on what the other replaces.
    return parts.inTurn(owner, async revision => {
      const face = await faceById(parts.database, friendRule(parts), owner, id)
      if (!face) throw new ServiceError('NOT_FOUND')
      if (change) await refuseUnknown(parts, owner, change)
      await applyChange(parts, face, question, revision)
      return getFace(parts, { owner, id })
    })
  })
}

async function refuseUnknown(parts: Parts, owner: string, { kind, names }: GalleryChange): Promise<void> {
  if (kind === 'del' && names.includes(DEFAULT_GALLERY)) {
    throw badParam('galleries', DEFAULT_GALLERY, 'Every face is in the gallery "default".')
  }
  await checkGalleries(parts, { owner, galleries: names, param: 'galleries' })
}

async function applyChange(
  parts: Parts,
  face: StoredFace,
  { meta, personId, galleries: change }: Change<'face.update'>,
  revision: number | undefined,
): Promise<void> {
  const { owner, id } = face
  const galleries = change ? galleriesAfter(face.galleries, change) : face.galleries
  const joined = galleries.filter(name => !face.galleries.includes(name))
  const left = face.galleries.filter(name => !galleries.includes(name))
  const person = typeof personId === 'number' ? { owner, id: personId, meta: meta ?? face.meta } : undefined
  const changed = await noted(parts, async work => {
    if (joined.length > 0) {
      await insertNotes(parts.database, work, [{ owner, id, galleries: joined }])
      // Without one, its deletion, which removes the vectors after the row, is under way.
      if (!(await completeVectors(parts.vectors, face, joined))) throw new ServiceError('NOT_FOUND')
    }
    return commitFaceChange(parts.database, {
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
  if (!changed) await sayWhatIsGone(parts, face, galleries)
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
  parts: Parts,
  { owner, id }: StoredFace,
  galleries: readonly string[],
): Promise<never> {
  await getFace(parts, { owner, id })
  throw badParam('galleries', galleries, 'A gallery was deleted meanwhile.')
}
