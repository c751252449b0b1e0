/** Checks a whole list before anything is sent. */
import { stat } from 'node:fs/promises'
import { LineError } from './lines.ts'
import type { PhotoList } from './photo-list.ts'
import type { Problem, Row } from './row.ts'

export interface CheckedList {
  /** Rows that can be enrolled, and bytes of their photos. */
  photos: number
  bytes: number
  /** Galleries that the rows name. */
  galleries: Set<string>
  /** The first problems, at most SHOWN_PROBLEMS, and the number of all. */
  problems: Problem[]
  problemCount: number
}

/** Problems that are kept and shown. */
export const SHOWN_PROBLEMS = 20

/** Reads the list once. `onRow` receives every row that can be enrolled. */
export async function checkList(list: PhotoList, onRow: (row: Row) => void = () => {}): Promise<CheckedList> {
  const checked: CheckedList = { photos: 0, bytes: 0, galleries: new Set(), problems: [], problemCount: 0 }
  const report = (problem: Problem) => {
    checked.problemCount++
    if (checked.problems.length < SHOWN_PROBLEMS) checked.problems.push(problem)
  }
  try {
    for await (const { row, problem } of list.entries()) {
      if (!row) {
        report(problem)
        continue
      }
      const found = await stat(row.path).catch(() => undefined)
      if (!found?.isFile()) {
        report(missingFile(row))
        continue
      }
      checked.photos++
      checked.bytes += found.size
      for (const gallery of row.galleries) checked.galleries.add(gallery)
      onRow(row)
    }
  } catch (error) {
    // The rest of the list cannot be read.
    if (!(error instanceof LineError)) throw error
    report({ line: error.line, reason: error.message })
  }
  return checked
}

const missingFile = ({ line, name }: Row): Problem => ({
  ...(line !== undefined && { line }),
  name,
  reason: 'There is no such file.',
})

/** A problem as one line of text, with its place. */
export const problemText = ({ line, name, reason }: Problem): string =>
  [
    line === undefined ? '' : `line ${line}: `,
    name === undefined ? '' : `${JSON.stringify(name)}: `,
    reason,
  ].join('')
