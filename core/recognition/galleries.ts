/** Galleries: made, listed and checked. */
import { badParam, ServiceError } from '../contract/errors.ts'
import { DEFAULT_GALLERY } from '../contract/gallery.ts'
import type { Answer, Change, Question } from '../contract/wire.ts'
import { existingGalleries, galleryNames, insertGallery } from '../metadata/galleries.ts'
import type { Parts } from './parts.ts'

/** `default` first, then the named ones in their order. */
export async function listGalleries(
  { database }: Parts,
  { owner }: Question<'galleries.list'>,
): Promise<Answer<'galleries.list'>> {
  return { galleries: [DEFAULT_GALLERY, ...(await galleryNames(database, owner))] }
}

/** Throws BAD_PARAM naming the first of these galleries that the owner does not have. */
export async function checkGalleries(
  { database }: Parts,
  { owner, galleries, param }: Question<'galleries.check'>,
): Promise<Answer<'galleries.check'>> {
  const existing = await existingGalleries(database, owner, galleries)
  const unknown = galleries.find(name => name !== DEFAULT_GALLERY && !existing.has(name))
  if (unknown !== undefined) throw badParam(param, unknown, `There is no gallery "${unknown}".`)
  return {}
}

/** The condition of being in this gallery, for a list of faces; NOT_FOUND when the owner has no such gallery. */
export async function galleryFilter(
  { database }: Pick<Parts, 'database'>,
  owner: string,
  gallery: string | undefined,
): Promise<{ gallery?: string }> {
  if (gallery === undefined || gallery === DEFAULT_GALLERY) return {}
  if (!(await existingGalleries(database, owner, [gallery])).has(gallery)) throw new ServiceError('NOT_FOUND')
  return { gallery }
}

export async function createGallery(
  { database, now }: Parts,
  { owner, gallery }: Change<'gallery.create'>,
): Promise<Answer<'gallery.create'>> {
  const made =
    gallery !== DEFAULT_GALLERY &&
    (await insertGallery(database, { owner, name: gallery, created: now() * 1000 }))
  if (!made) throw new ServiceError('GALLERY_EXISTS', { param: 'gallery' })
  return {}
}

/** Without `default`, which needs no mention, and without repetitions; sorted. */
export const namedGalleries = (galleries: readonly string[]): string[] =>
  [...new Set(galleries)].filter(name => name !== DEFAULT_GALLERY).sort()
