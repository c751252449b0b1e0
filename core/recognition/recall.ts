/** Repeated enrolments: the first answer under an Idempotency-Key is the answer to all of them. */
import { badParam } from '../contract/errors.ts'
import { LIMITS } from '../contract/limits.ts'
import type { Answer, Question } from '../contract/wire.ts'
import { type RememberedAnswer, rememberedAnswer } from '../metadata/remembered-answers.ts'
import type { Parts } from './parts.ts'

/** Answers from before this (microseconds) are forgotten. */
export const keptSince = ({ now }: Pick<Parts, 'now'>): number => (now() - LIMITS.idempotencyKeptMs) * 1000

/** What was answered under this key, if it was used. Throws BAD_PARAM when that was another request. */
export async function recall(
  parts: Pick<Parts, 'database' | 'now'>,
  { owner, key, requestHash }: Question<'enrol.recall'>,
): Promise<Answer<'enrol.recall'>> {
  const first = await rememberedAnswer(parts.database, { owner, key, since: keptSince(parts) })
  if (!first) return {}
  if (first.requestHash !== requestHash) {
    throw badParam('Idempotency-Key', key, 'This key was used for another request.')
  }
  return first.answer as Answer<'enrol'>
}

/** The record that lets an answer be recalled. */
export const remembered = (
  { now }: Pick<Parts, 'now'>,
  { owner, key, requestHash }: Question<'enrol.recall'>,
  answer: Answer<'enrol'>,
): RememberedAnswer => ({ owner, key, requestHash, answer, created: now() * 1000 })
