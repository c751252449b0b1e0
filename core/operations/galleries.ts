/** Galleries: made, listed and checked. */
import { badParam, ServiceError } from '../contract/errors.ts'
import { DEFAULT_GALLERY, type Gallery } from '../contract/model/gallery.ts'
import type { Answer, Change, Question } from '../contract/rpc/operations.ts'
import {
  existingGalleries,
  galleryNamed,
  galleryNames,
  insertGallery,
  setGalleryRetention,
} from '../metadata/queries/galleries.ts'
import { ownerRetention, setOwnerRetention } from '../metadata/queries/owners.ts'
import type { Services } from './services.ts'

/** `default` first, then the named ones in their order. */
export async function listGalleries(
  { database }: Services,
  { owner }: Question<'galleries.list'>,
): Promise<Answer<'galleries.list'>> {
  return { galleries: [DEFAULT_GALLERY, ...(await galleryNames(database, owner))] }
}

/** Throws BAD_PARAM naming the first of these galleries that the owner does not have. */
export async function checkGalleries(
  { database }: Services,
  { owner, galleries, param }: Question<'galleries.check'>,
): Promise<Answer<'galleries.check'>> {
  const existing = await existingGalleries(database, owner, galleries)
  const unknown = galleries.find(name => name !== DEFAULT_GALLERY && !existing.has(name))
  if (unknown !== undefined) throw badParam(param, unknown, `There is no gallery "${unknown}".`)
  return {}
}

/** The condition of being in this gallery, for a list of faces; NOT_FOUND when the owner has no such gallery. */
export async function galleryFilter(
  { database }: Pick<Services, 'database'>,
  owner: string,
  gallery: string | undefined,
): Promise<{ gallery?: string }> {
  if (gallery === undefined || gallery === DEFAULT_GALLERY) return {}
  if (!(await existingGalleries(database, owner, [gallery])).has(gallery)) throw new ServiceError('NOT_FOUND')
  return { gallery }
}

export async function createGallery(
  { database, now }: Services,
  { owner, gallery, retentionDays = 0 }: Change<'gallery.create'>,
): Promise<Answer<'gallery.create'>> {
  const made =
    gallery !== DEFAULT_GALLERY &&
    (await insertGallery(database, {
      owner,
      name: gallery,
      created: now() * 1000,
      retentionDays: retentionDays || null,
    }))
  if (!made) throw new ServiceError('GALLERY_EXISTS', { param: 'gallery' })
  return { gallery: galleryAnswer(gallery, retentionDays) }
}

/** Throws NOT_FOUND when the owner has no such gallery. `default` has the owner's own retention. */
export async function getGallery(
  { database }: Pick<Services, 'database'>,
  { owner, gallery }: Question<'gallery.get'>,
): Promise<Answer<'gallery.get'>> {
  if (gallery === DEFAULT_GALLERY)
    return { gallery: galleryAnswer(gallery, await ownerRetention(database, owner)) }
  const found = await galleryNamed(database, owner, gallery)
  if (!found) throw new ServiceError('NOT_FOUND')
  return { gallery: galleryAnswer(gallery, found.retentionDays) }
}

/** Sets the retention, where it is given. */
export async function changeGallery(
  services: Pick<Services, 'database'>,
  { owner, gallery, retentionDays }: Change<'gallery.update'>,
): Promise<Answer<'gallery.update'>> {
  if (retentionDays !== undefined) {
    const days = retentionDays || null
    if (gallery === DEFAULT_GALLERY) await setOwnerRetention(services.database, owner, days)
    else await setGalleryRetention(services.database, owner, gallery, days)
  }
  return getGallery(services, { owner, gallery })
}

/** What is not set is absent. */
const galleryAnswer = (name: string, days: number | null): Gallery =>
  days ? { name, retention_days: days } : { name }

/** Without `default`, which needs no mention, and without repetitions; sorted. */
export const namedGalleries = (galleries: readonly string[]): string[] =>
  [...new Set(galleries)].filter(name => name !== DEFAULT_GALLERY).sort()
