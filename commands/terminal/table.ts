/** Formats output for the terminal: aligned tables, or one block per row when the terminal is too narrow, and colours of states. */
import { stripVTControlCharacters, styleText } from 'node:util'

export type Cell = string | number

/** Spaces between two columns. */
const GAP = 2

/**
 * Rows as text, without colours or rules. The keys of the first row name the columns, in order. Numbers are
 * right-aligned. `width` is the number of columns of the terminal; Infinity without a terminal.
 */
export function table(rows: readonly Record<string, Cell>[], width = Number.POSITIVE_INFINITY): string {
  const names = Object.keys(rows[0] ?? {})
  const cells = rows.map(row => names.map(name => printable(row[name] ?? '')))
  const widths = names.map((name, i) =>
    cells.reduce((most, row) => Math.max(most, row[i]!.length), name.length),
  )
  const total = widths.reduce((sum, each) => sum + each + GAP, -GAP)
  if (total > width) return blocks(names, cells)
  const isNumber = names.map(name => rows.every(row => typeof row[name] === 'number' || row[name] === ''))
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => (isNumber[i] ? text.padStart(widths[i]!) : text.padEnd(widths[i]!)))
      .join(' '.repeat(GAP))
      .trimEnd()
  return [names.map(name => name.toUpperCase()), ...cells].map(line).join('\n')
}

/** Prints the rows, or `none` when there are no rows. */
export function printTable(rows: readonly Record<string, Cell>[], none: string): void {
  console.log(rows.length === 0 ? none : table(rows, process.stdout.columns))
}

function blocks(names: readonly string[], cells: readonly string[][]) {
  const longest = Math.max(...names.map(name => name.length))
  return cells
    .map(row => row.map((text, i) => `${names[i]!.padEnd(longest + GAP)}${text}`.trimEnd()).join('\n'))
    .join('\n\n')
}

/** People choose names: control characters in them must not reach the terminal. */
const printable = (cell: Cell) => stripVTControlCharacters(String(cell)).replace(/\p{Cc}/gu, '\u{fffd}')

/** How good a state is. */
export type Grade = 'ok' | 'note' | 'warning' | 'problem'

const COLOURS = { ok: 'green', note: 'cyan', warning: 'yellow', problem: 'red' } as const

/** The text in the colour of the grade, for standard output. styleText of Node 20 does not know whether that is a terminal. */
export const colourText = (grade: Grade, text: string): string =>
  process.stdout.hasColors?.() ? styleText(COLOURS[grade], text) : text
