/** POST /detect: where are the faces on the photo? Answered from the edge alone. */
import * as z from 'zod'
import { BoxSchema } from '../../core/contract/bbox.ts'
import { attributes, refuseAttributes } from '../attributes.ts'
import { photo } from '../fields.ts'
import { operation } from '../operation.ts'
import { PHOTO_REFUSALS, readPhoto } from '../photo.ts'
import { answer } from '../route.ts'

const DetectAnswer = z.strictObject({
  faces: z.array(BoxSchema),
  orientation: z.int().min(1).max(8).meta({ description: 'EXIF orientation; 1 when the photo has none.' }),
})

export const detect = operation(
  {
    name: 'detect',
    method: 'post',
    path: '/detect',
    topic: 'Photos',
    summary: 'Find the faces on a photo',
    details: 'Boxes are in the pixels of the upright photo. A photo without a face gives an empty list.',
    parameters: z.object({ photo, ...attributes }),
    status: 200,
    answer: DetectAnswer,
    refusals: PHOTO_REFUSALS,
  },
  async ({ core, faces }, { params, version }) => {
    refuseAttributes(version, params)
    const file = await readPhoto(core, params.photo)
    const sighting = await faces.look(file.bytes, undefined, 'photo')
    return answer({ faces: sighting.faces, orientation: sighting.orientation })
  },
)
