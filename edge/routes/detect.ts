/** POST /detect: where are the faces on the photo? Answered from the edge alone. */
import * as z from 'zod'
import { attributes, refuseAttributes } from '../attributes.ts'
import type { Deps } from '../deps.ts'
import { photo } from '../fields.ts'
import { readPhoto } from '../photo.ts'
import { answer, route } from '../route.ts'

const DetectParameters = z.object({ photo, ...attributes })

export const detect = ({ core, faces }: Deps) =>
  route(DetectParameters, async ({ params, version }) => {
    refuseAttributes(version, params)
    const file = await readPhoto(core, params.photo)
    const sighting = await faces.look(file.bytes, undefined, 'photo')
    return answer({ faces: sighting.faces, orientation: sighting.orientation })
  })
