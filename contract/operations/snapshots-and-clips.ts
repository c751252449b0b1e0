/** The footage of events: the whole photo of a face, and a clip of the seconds around it. */
import * as z from 'zod'
import { FaceId } from '../ids.ts'
import { FOOTAGE_KINDS } from '../limits/cameras.ts'
import { PHOTO_LIMITS } from '../limits/photos.ts'
import { REQUEST_LIMITS } from '../limits/requests.ts'
import { numberInPath } from '../parameters/ids.ts'
import { file } from '../parameters/photos.ts'
import { change } from '../rpc/message.ts'
import { operationOf } from './operation.ts'

const operation = operationOf('Faces')

const put = {
  method: 'put',
  permission: 'post',
  refusals: ['NOT_FOUND', 'PHOTO_TOO_LARGE', 'BAD_IMAGE'],
  // Blob: the file. `hash`: of the file of a snapshot. BAD_PARAM unless the camera of the face keeps such files.
  core: change('face.footage', {
    words: 'stored a snapshot or a clip',
    request: { id: FaceId, kind: z.enum(FOOTAGE_KINDS), hash: z.string().optional() },
    response: {},
    audit: ({ id, kind }) => ({ face: id, kind }),
  }),
} as const

const MOST = `At most ${PHOTO_LIMITS.bytes / 2 ** 20} MB. A repeated request replaces the file.`

export const footageOperations = {
  putSnapshot: operation({
    ...put,
    path: '/face/id/:id/snapshot',
    aliases: ['/faces/id/:id/snapshot'],
    summary: 'Store the whole photo of a face that a camera has posted',
    details:
      `The camera needs the option \`snapshot\`. The photo is exactly the one of the enrolment, as JPEG. ${MOST} Get it by the link ` +
      '`snapshot` of the face. An update of the face removes the link until its photo is sent.',
    parameters: { id: numberInPath, snapshot: file('The photo of the enrolment.') },
  }),

  putClip: operation({
    ...put,
    path: '/face/id/:id/clip',
    aliases: ['/faces/id/:id/clip'],
    summary: 'Store a video of the moment of a face that a camera has posted',
    details:
      `The camera needs the option \`clip\`, and the face is enrolled in the last ${REQUEST_LIMITS.idempotencyKeptMs / 3_600_000} hours. ` +
      `${MOST} Get it by the link \`clip\` of the face.`,
    parameters: { id: numberInPath, clip: file('A whole MP4 file.') },
  }),
}
