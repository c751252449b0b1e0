/** The result of a run, for programs and for the terminal. */
import { type Counts, OUTCOME_NAMES, OUTCOMES, sumOf } from './outcome.ts'

/** The document of `--json`: see docs/bulk-enrolment.md. */
export interface Summary {
  /** Photos of the list. */
  photos: number
  /** Whether the whole list was read. */
  complete: boolean
  /** Photos that earlier runs have finished. */
  finished_before: number
  /** Photos of the list by outcome, those of earlier runs included. */
  outcomes: Counts
  /** Photos that look like a face with another meta. */
  similar: number
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

export function printText({ photos, outcomes, similar, complete, job, reports }: Summary): void {
  console.log(`${sumOf(outcomes, ({ isFinal }) => isFinal)} of ${photos} photos are finished.`)
  const rows = OUTCOME_NAMES.map(name => [OUTCOMES[name].title, outcomes[name]] as const)
  for (const [title, count] of [...rows, ['Looks like somebody else', similar] as const])
    if (count > 0) console.log(`  ${title.padEnd(TITLE_WIDTH)}  ${count}`)
  for (const path of reports) console.log(`Report: ${path}`)
  if (!complete || outcomes.failed > 0)
    console.log(`Run the same command again to continue. ${job} keeps what is finished.`)
}
