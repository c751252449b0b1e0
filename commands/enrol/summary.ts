/** The result of a run, for the terminal and for programs. */
import { printJson } from '../terminal/command-line.ts'
import type { Job } from './job/job.ts'
import { type Counts, OUTCOME_NAMES, OUTCOMES, sumOf } from './job/outcome.ts'

export interface Summary {
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
  job: string
  reports: string[]
}

export const summaryOf = (job: Job, isWhole: boolean): Omit<Summary, 'badRows' | 'reports'> => ({
  counts: job.counts(isWhole),
  similar: job.similar(isWhole),
  finishedBefore: job.finishedBefore,
  isWhole,
  job: job.path,
})

/** Whether every photo of the list is enrolled. */
export const isComplete = ({ counts, isWhole, badRows }: Summary): boolean =>
  isWhole && badRows === 0 && sumOf(counts, ({ isDone }) => !isDone) === 0

/** `total` is the number of photos of the list. */
export function printSummary(summary: Summary, { total, json }: { total: number; json: boolean }): void {
  if (json) printJson(documentOf(summary, total))
  else printText(summary, total)
}

function printText(summary: Summary, total: number): void {
  const { counts, similar, isWhole, job, reports } = summary
  const finished = sumOf(counts, ({ isFinal }) => isFinal)
  console.log(`${finished} of ${total} photos are finished.`)
  const rows: [title: string, count: number][] = OUTCOME_NAMES.filter(name => counts[name] > 0).map(
    name => [OUTCOMES[name].title, counts[name]] as const,
  )
  if (similar > 0) rows.push(['Looks like somebody else', similar])
  const width = Math.max(0, ...rows.map(([title]) => title.length))
  for (const [title, count] of rows) console.log(`  ${title.padEnd(width)}  ${count}`)
  for (const path of reports) console.log(`Report: ${path}`)
  if (!isWhole || counts.failed > 0)
    console.log(`Run the same command again to go on. ${job} keeps what is finished.`)
}

/** Field names are documented in docs/bulk-enrolment.md. */
const documentOf = (
  { counts, similar, finishedBefore, isWhole, badRows, job, reports }: Summary,
  total: number,
) => ({
  photos: total,
  complete: isWhole,
  finished_before: finishedBefore,
  outcomes: counts,
  similar,
  bad_rows: badRows,
  job,
  reports,
})
