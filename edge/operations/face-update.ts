/** PUT /face/id/<id>: changes the meta, person or galleries of a stored face. */
import * as z from 'zod'
import { badParam } from '../../contract/errors.ts'
import { LIMITS } from '../../contract/limits.ts'
import { FaceSchema } from '../../contract/model/face.ts'
import { FacePersonId, facePersonOf } from '../../contract/model/person.ts'
import { changedBy } from '../admission/tokens.ts'
import { withLinks } from '../http/links.ts'
import { galleryChange } from '../parameters/gallery-change.ts'
import { metaToStore } from '../parameters/meta.ts'
import { omitUndefined } from '../parameters/omit-undefined.ts'
import { optional } from '../parameters/parameter-fields.ts'
import { numberInPath, numberOf } from '../parameters/path-ids.ts'
import { personId } from '../parameters/person-id.ts'
import { operation } from './operation.ts'
import { jsonResponse } from './route.ts'

const UpdateParameters = z.object({
  id: numberInPath,
  meta: metaToStore.nullish(),
  person_id: optional(personId),
  galleries: optional(galleryChange),
})

export const updateFace = operation(
  {
    name: 'updateFace',
    needs: 'change',
    method: 'put',
    path: '/face/id/:id',
    aliases: ['/faces/id/:id'],
    topic: 'Faces',
    summary: 'Change the meta, the person or the galleries of a face',
    details:
      'Absent fields stay unchanged. An unknown number in `person_id` creates a person. A text of digits is the number. ' +
      'Another text in `person_id` is stored unchanged and refers to no person. `galleries` has one key: `add`, `del` or `set`. The gallery `default` contains ' +
      'every face.',
    parameters: UpdateParameters,
    status: 200,
    answer: FaceSchema,
    refusals: ['NOT_FOUND'],
  },
  async ({ core }, { caller, params: { id, meta, person_id, galleries }, origin }) => {
    const question = {
      ...changedBy(caller),
      id: numberOf(id),
      ...omitUndefined('meta', meta ?? undefined),
      ...omitUndefined('personId', person_id === undefined ? undefined : personOf(person_id)),
      ...omitUndefined('galleries', galleries),
    }
    const { face } = (await core.call('face.update', question)).answer
    return jsonResponse(withLinks(face, origin))
  },
)

/** Throws BAD_PARAM for a number out of range. */
function personOf(value: number | string): number | string {
  const parsed = FacePersonId.safeParse(facePersonOf(value))
  if (parsed.success) return parsed.data
  const reason = `This must be a whole number from 0 to ${LIMITS.givenPersonId}, or a text of at most ${LIMITS.personTextLength} characters.`
  throw badParam('person_id', value, reason)
}
