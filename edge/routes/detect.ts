/** POST /detect: where are the faces on the photo? Answered from the edge alone, unless attributes are asked for. */
import * as z from 'zod'
import { AttributesSchema } from '../../core/contract/attributes.ts'
import { BoxSchema } from '../../core/contract/bbox.ts'
import type { Selection } from '../../core/contract/selector.ts'
import { outlineOf } from '../../wasm/thumbnail.ts'
import { askedOf, attributes } from '../attributes.ts'
import { photo } from '../fields.ts'
import { operation } from '../operation.ts'
import { PHOTO_REFUSALS, readPhoto } from '../photo.ts'
import { answer } from '../route.ts'

const DetectAnswer = z.strictObject({
  faces: z.array(BoxSchema),
  orientation: z.int().min(1).max(8).meta({ description: 'EXIF orientation; 1 when the photo has none.' }),
})

/** Each box with the attributes that were asked for. */
const AttributedAnswer = DetectAnswer.extend({
  faces: z.array(z.strictObject({ ...BoxSchema.shape, ...AttributesSchema.shape })),
})

/** Chips of all faces, in the order of their boxes. */
const EVERY_FACE: Selection = { selector: 'any', boxes: [] }

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
    answerOfV1: AttributedAnswer,
    refusals: PHOTO_REFUSALS,
  },
  async ({ core, faces }, { caller, params, version }) => {
    const asked = askedOf({ caller, version, params })
    const file = await readPhoto(core, params.photo)
    const { faces: boxes, orientation, selected } = await faces.look(file.bytes, asked && EVERY_FACE, 'photo')
    if (!asked || selected.length === 0) return answer({ faces: boxes, orientation })
    const thumbnails = asked.emotions ? selected.map(({ thumbnail }) => thumbnail) : []
    const pictures = [...selected.map(({ chip }) => chip), ...thumbnails.map(({ data }) => data)]
    const question = { asked, thumbnails: thumbnails.map(outlineOf) }
    const found = (await core.ask('attributes', question, pictures)).answer.faces
    return answer({ faces: boxes.map((box, i) => ({ ...box, ...found[i] })), orientation })
  },
)
