/** Repeats requests one after the other. */
import type { Answer } from './http.ts'

/** Responses of sequential requests until the end. The last one may arrive later and counts too. */
export async function repeated(
  once: () => Promise<Answer>,
  end: AbortSignal,
  most = Number.POSITIVE_INFINITY,
): Promise<Answer[]> {
  const answers: Answer[] = []
  while (!end.aborted && answers.length < most) answers.push(await once())
  return answers
}
