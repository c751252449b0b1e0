/** Repeated enrolments: later requests with an Idempotency-Key get the faces that the first request stored. */
import { badParam } from '../../../contract/errors.ts'
import { REQUEST_LIMITS } from '../../../contract/limits/requests.ts'
import type { Face } from '../../../contract/model/face.ts'
import { type RememberedAnswer, rememberedAnswer } from '../../metadata/face-changes/enrolments.ts'
import { faceAnswers } from '../face-answer.ts'
import type { Services } from '../services.ts'

/** Responses older than this time are dropped. Microseconds since 1970. */
export const oldestKeptTime = ({ now }: Pick<Services, 'now'>): number =>
  (now() - REQUEST_LIMITS.idempotencyKeptMs) * 1000

/**
 * Faces stored by the first request with this key, in their current state and without deleted ones. `requestHash` is the SHA-256
 * of the request. Undefined for an unused key. Throws BAD_PARAM when the first request was different.
 */
export async function repeatedEnrolment(
  services: Services,
  { owner, key, requestHash }: Pick<RememberedAnswer, 'owner' | 'key' | 'requestHash'>,
): Promise<Face[] | undefined> {
  const first = await rememberedAnswer(services.database, { owner, key, since: oldestKeptTime(services) })
  if (!first) return undefined
  if (first.requestHash !== requestHash) {
    throw badParam('Idempotency-Key', key, 'This key was used for another request.')
  }
  return [...(await faceAnswers(services, owner, first.faces)).values()]
}
