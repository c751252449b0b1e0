/** Repeated enrolments: what the first one under an Idempotency-Key stored is the answer to all of them. */
import { badParam } from '../contract/errors.ts'
import { LIMITS } from '../contract/limits.ts'
import type { Answer, Question } from '../contract/rpc/operations.ts'
import { type RememberedAnswer, rememberedAnswer } from '../metadata/queries/remembered-answers.ts'
import { faceAnswers } from './face-answer.ts'
import type { Services } from './services.ts'

/** Answers from before this (microseconds) are forgotten. */
export const keptSince = ({ now }: Pick<Services, 'now'>): number => (now() - LIMITS.idempotencyKeptMs) * 1000

/**
 * The faces stored under this key, if it was used, as they are now; deleted ones are left out. Throws BAD_PARAM when
 * that was another request.
 */
export async function repeatedEnrolment(
  services: Services,
  { owner, key, requestHash }: Question<'enrol.recall'>,
): Promise<Answer<'enrol.recall'>> {
  const first = await rememberedAnswer(services.database, { owner, key, since: keptSince(services) })
  if (!first) return {}
  if (first.requestHash !== requestHash) {
    throw badParam('Idempotency-Key', key, 'This key was used for another request.')
  }
  return { faces: await faceAnswers(services, owner, first.faces) }
}

/** The record that lets these faces be recalled. */
export const rememberedEnrolment = (
  { now }: Pick<Services, 'now'>,
  { owner, key, requestHash }: Question<'enrol.recall'>,
  faces: number[],
): RememberedAnswer => ({ owner, key, requestHash, faces, created: now() * 1000 })
