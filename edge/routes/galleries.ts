/** GET /galleries, POST and DELETE /galleries/<gallery>: named sets of faces. */
import * as z from 'zod'
import type { Deps } from '../deps.ts'
import { gallery } from '../fields.ts'
import { answer, noContent, route } from '../route.ts'

export const listGalleries = ({ core }: Deps) =>
  route(z.object({}), async ({ caller }) => {
    const { galleries } = (await core.ask('galleries.list', { owner: caller.owner })).answer
    return answer({ results: galleries })
  })

export const createGallery = ({ core }: Deps) =>
  route(z.object({ gallery }), async ({ caller, params }) => {
    await core.ask('gallery.create', { owner: caller.owner, gallery: params.gallery })
    return answer({ name: params.gallery }, 201)
  })

/** POST /galleries with the name as a parameter, as some clients do. */
export const createNamedGallery = ({ core }: Deps) =>
  route(z.object({ name: gallery }), async ({ caller, params }) => {
    await core.ask('gallery.create', { owner: caller.owner, gallery: params.name })
    return answer({ name: params.name }, 201)
  })

export const deleteGallery = ({ core }: Deps) =>
  route(z.object({ gallery }), async ({ caller, params }) => {
    await core.ask('gallery.delete', { owner: caller.owner, gallery: params.gallery })
    return noContent()
  })
