/** Prints a result: lists of objects as tables, single values as a table of measures. */

type Row = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)

/** Whether the object fits a row: no lists of objects in it, at any depth. */
const isFlat = (row: Row): boolean =>
  Object.values(row).every(value => (isObject(value) ? isFlat(value) : !isList(value)))

/** The result as text. */
export function report(result: Row): string {
  const measures = Object.entries(result).filter(([, value]) => !isObject(value) && !isList(value))
  const sections = Object.entries(result).filter(([, value]) => isObject(value) || isList(value))
  const rows = measures.map(([name, value]) => ({ measure: labelOf(name), value }))
  return [
    ...(rows.length > 0 ? [table(rows)] : []),
    ...sections.map(([name, value]) => `${labelOf(name)}\n\n${section(value as Row | Row[])}`),
  ].join('\n\n')
}

function section(value: Row | Row[]): string {
  if (Array.isArray(value)) return value.every(isFlat) ? table(value) : value.map(report).join('\n\n')
  const rows = Object.entries(value)
  return rows.every(([, row]) => isObject(row) && isFlat(row))
    ? table(rows.map(([name, row]) => ({ '': labelOf(name), ...(row as Row) })))
    : report(value)
}

/** Columns of equal width, one for each name of the rows. Objects in a row become columns. */
export function table(rows: readonly Row[]): string {
  const flat = rows.map(row => flattened(row, ''))
  const names = [...new Set(flat.flatMap(row => [...row.keys()]))]
  const lines = [names, ...flat.map(row => names.map(name => row.get(name) ?? ''))]
  const widths = names.map((_, column) => Math.max(...lines.map(cells => cells[column]!.length)))
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ')
  const [head, ...body] = lines.map(line)
  return [head, widths.map(width => '-'.repeat(width)).join('  '), ...body].join('\n')
}

function flattened(row: Row, prefix: string): Map<string, string> {
  const cells = new Map<string, string>()
  for (const [name, value] of Object.entries(row)) {
    const label = prefix + labelOf(name)
    if (isObject(value)) for (const cell of flattened(value, `${label} `)) cells.set(...cell)
    else cells.set(label, Array.isArray(value) ? value.join(' ') : String(value ?? ''))
  }
  return cells
}

/** `medianMs` -> `median ms`. Names that are no identifiers stay. */
const labelOf = (name: string): string =>
  /^[a-z]\w*$/.test(name) ? name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`) : name
