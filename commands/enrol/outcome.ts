/** Outcomes of a photo: what became of it, and whether a later run tries it again. */

export interface Outcome {
  /** Heading in reports. */
  title: string
  /** The photo needs no more work: it is enrolled, or another row has the same enrolment. */
  isDone: boolean
  /** A later run leaves the photo out. It sends poor photos again, because `--min-quality` may be lower then. */
  isFinal: boolean
}

export const OUTCOMES = {
  enrolled: { title: 'Enrolled', isDone: true, isFinal: true },
  duplicate: { title: 'Same photo twice, sent once', isDone: true, isFinal: true },
  no_face: { title: 'No face', isDone: false, isFinal: true },
  too_small: { title: 'Face too small', isDone: false, isFinal: true },
  several_faces: { title: 'Several faces', isDone: false, isFinal: true },
  poor_quality: { title: 'Poor quality', isDone: false, isFinal: false },
  unreadable: { title: 'Unreadable photo', isDone: false, isFinal: true },
  refused: { title: 'Refused by the service', isDone: false, isFinal: true },
  failed: { title: 'Failed, tried again by the next run', isDone: false, isFinal: false },
} as const satisfies Record<string, Outcome>

export type OutcomeName = keyof typeof OUTCOMES

export const OUTCOME_NAMES = Object.keys(OUTCOMES) as OutcomeName[]

/** Number of photos by outcome. */
export type Counts = Record<OutcomeName, number>

export function countsOf(lines: readonly { outcome: OutcomeName }[]): Counts {
  const counts = Object.fromEntries(OUTCOME_NAMES.map(name => [name, 0])) as Counts
  for (const { outcome } of lines) counts[outcome]++
  return counts
}

export const sumOf = (counts: Counts, isCounted: (outcome: Outcome) => boolean): number =>
  OUTCOME_NAMES.reduce((sum, name) => sum + (isCounted(OUTCOMES[name]) ? counts[name] : 0), 0)
