/** Writes a record of CSV that spreadsheets do not execute. */

/** Beginnings that spreadsheets take for a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** A record with its line end. A text that looks like a formula gets a leading apostrophe. */
export const csvRecord = (values: readonly (string | number)[]): string =>
  `${values.map(value => (typeof value === 'number' ? String(value) : quoted(value))).join(',')}\r\n`

function quoted(text: string): string {
  const inert = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
