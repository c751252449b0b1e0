/** Outcomes of a photo (what became of it, and whether a later run tries it again), and the summary of a run. */

import type { OutcomeName } from '../../clients/typescript/src/enrolment.ts'
import { countText } from '../../contract/counted.ts'

interface Outcome {
  /** Heading in reports. */
  title: string
  /** The photo is finished: it is enrolled, or another row has the same enrolment. */
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
} as const satisfies Record<OutcomeName, Outcome>

export const OUTCOME_NAMES = Object.keys(OUTCOMES) as OutcomeName[]

/** Number of photos by outcome. */
type Counts = Record<OutcomeName, number>

export function countsOf(lines: readonly { outcome: OutcomeName }[]): Counts {
  const counts = Object.fromEntries(OUTCOME_NAMES.map(name => [name, 0])) as Counts
  for (const { outcome } of lines) counts[outcome]++
  return counts
}

const sumOf = (counts: Counts, isCounted: (outcome: Outcome) => boolean) =>
  OUTCOME_NAMES.reduce((sum, name) => sum + (isCounted(OUTCOMES[name]) ? counts[name] : 0), 0)

/** The document of `--json`: see docs/bulk-enrolment.md. */
export interface Summary {
  /** Photos of the list. */
  photos: number
  /** Whether the whole list was read. */
  complete: boolean
  /** Photos that earlier runs have finished. */
  finished_before: number
  /** Photos of the list by outcome, earlier runs included. */
  outcomes: Counts
  /** Photos that look like a face with another meta. */
  similar: number
  /** Photos with several people. The biggest face is enrolled. */
  several_people: number
  /** Rows that cannot be enrolled. */
  bad_rows: number
  /** Path of the job file. */
  job: string
  /** Paths of the reports. */
  reports: string[]
}

/** Whether every photo of the list is enrolled. */
export const isAllEnrolled = ({ outcomes, complete, bad_rows }: Summary): boolean =>
  complete && bad_rows === 0 && sumOf(outcomes, ({ isDone }) => !isDone) === 0

const TITLE_WIDTH = Math.max(...OUTCOME_NAMES.map(name => OUTCOMES[name].title.length))

/** For example `2 photos show several people`. */
export const severalText = (count: number): string =>
  `${countText(count, 'photo shows', 'photos show')} several people`

export function printText({ photos, outcomes, similar, complete, job, reports, ...summary }: Summary): void {
  const finished = sumOf(outcomes, ({ isFinal }) => isFinal)
  // A stopped run has not seen which photos of earlier runs are still in the list.
  const listed = complete ? `${finished} of ${photos}` : `${finished}`
  console.log(`${listed} ${(complete ? photos : finished) === 1 ? 'photo is' : 'photos are'} finished.`)
  const rows = OUTCOME_NAMES.map(name => [OUTCOMES[name].title, outcomes[name]] as const)
  for (const [title, count] of [...rows, ['Looks like another person', similar] as const])
    if (count > 0) console.log(`  ${title.padEnd(TITLE_WIDTH)}  ${count}`)
  const { several_people: several } = summary
  if (several > 0) console.log(`${severalText(several)}. Of each, the biggest face is enrolled.`)
  for (const path of reports) console.log(`Report: ${path}`)
  if (!complete || outcomes.failed > 0)
    console.log(`Run the same command again to continue. ${job} keeps what is finished.`)
}
