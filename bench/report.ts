/** Prints a result: its single values as a table, and each list of objects as one. */

type Row = Readonly<Record<string, unknown>>

const isList = (value: unknown): value is Row[] => Array.isArray(value) && typeof value[0] === 'object'

/** The row without objects in it. Their values are named by both names. */
const flattened = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      typeof value !== 'object' || value === null || Array.isArray(value)
        ? [[name, value]]
        : Object.entries(flattened(value as Row)).map(([inner, one]) => [`${name} ${inner}`, one]),
    ),
  )

export function printResult(result: Row): void {
  const facts = Object.entries(flattened(result))
  const single = facts.filter(([, value]) => !isList(value))
  if (single.length > 0) console.table(Object.fromEntries(single))
  for (const [name, rows] of facts) {
    if (!isList(rows)) continue
    console.log(name)
    if (rows.some(row => Object.values(flattened(row)).some(isList))) for (const row of rows) printResult(row)
    else console.table(rows.map(flattened))
  }
}
