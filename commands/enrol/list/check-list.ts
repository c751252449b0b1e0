/** Checks a whole list before anything is sent. */
import { FileRefused, openRegular } from '../../terminal/bounded-file.ts'
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
      const size = await sizeOf(row, list.folder).catch((error: unknown) => report(unusableFile(row, error)))
      if (size === undefined) continue
      checked.photos++
      checked.bytes += size
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

async function sizeOf({ path }: Row, folder: string | undefined): Promise<number> {
  const file = await openRegular(path, folder)
  return file
    .stat()
    .then(({ size }) => size)
    .finally(() => file.close())
}

/** Throws what is no error of the system. */
function unusableFile({ line, name }: Row, error: unknown): Problem {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === undefined && !(error instanceof FileRefused)) throw error
  const reason =
    error instanceof FileRefused
      ? error.message
      : code === 'ENOENT'
        ? 'There is no such file.'
        : `The file cannot be read: ${code}.`
  return { ...(line !== undefined && { line }), name, reason }
}

/** A problem as one line of text, with its place. */
export const problemText = ({ line, name, reason }: Problem): string =>
  [
    line === undefined ? '' : `line ${line}: `,
    name === undefined ? '' : `${JSON.stringify(name)}: `,
    reason,
  ].join('')
