/** The result of a run, for the terminal and for programs. */
import { printJson } from '../terminal/command-line.ts'
import { type Counts, OUTCOME_NAMES, OUTCOMES, sumOf } from './outcome.ts'

export interface Summary {
  /** Photos of the list. */
  total: number
  /** Photos of the list by outcome, those of earlier runs included. */
  counts: Counts
  /** Photos that look like a face with another meta. */
  similar: number
  /** Photos that earlier runs have finished. */
  finishedBefore: number
  /** Whether the whole list was read. */
  isWhole: boolean
  /** Rows that cannot be enrolled. */
  badRows: number
  /** Path of the job file. */
  job: string
  /** Paths of the reports. */
  reports: string[]
}

/** Whether every photo of the list is enrolled. */
export const isComplete = ({ counts, isWhole, badRows }: Summary): boolean =>
  isWhole && badRows === 0 && sumOf(counts, ({ isDone }) => !isDone) === 0

export function printText({ total, counts, similar, isWhole, job, reports }: Summary): void {
  console.log(`${sumOf(counts, ({ isFinal }) => isFinal)} of ${total} photos are finished.`)
  const rows = OUTCOME_NAMES.map(name => [OUTCOMES[name].title, counts[name]] as const)
  for (const [title, count] of [...rows, ['Looks like somebody else', similar] as const])
    if (count > 0) console.log(`  ${title.padEnd(TITLE_WIDTH)}  ${count}`)
  for (const path of reports) console.log(`Report: ${path}`)
  if (!isWhole || counts.failed > 0)
    console.log(`Run the same command again to continue. ${job} keeps what is finished.`)
}

const TITLE_WIDTH = Math.max(...OUTCOME_NAMES.map(name => OUTCOMES[name].title.length))

/** Field names are documented in docs/bulk-enrolment.md. */
export const printDocument = (summary: Summary): void =>
  printJson({
    photos: summary.total,
    complete: summary.isWhole,
    finished_before: summary.finishedBefore,
    outcomes: summary.counts,
    similar: summary.similar,
    bad_rows: summary.badRows,
    job: summary.job,
    reports: summary.reports,
  })
