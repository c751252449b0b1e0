/** Requests one after the other. */
import type { Answer } from './http.ts'

/** Answers, one after the other, until the end. The last may come later: what takes long is counted, too. */
export async function repeated(
  once: () => Promise<Answer>,
  end: AbortSignal,
  most = Number.POSITIVE_INFINITY,
): Promise<Answer[]> {
  const answers: Answer[] = []
  while (!end.aborted && answers.length < most) answers.push(await once())
  return answers
}
