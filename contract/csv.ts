/** CSV files (RFC 4180). */

/** A line. A text that a spreadsheet would compute begins with an apostrophe. */
const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells
    .map(
      cell =>
        `"${String(cell ?? '')
          .replace(/^[=+\-@\t\r]/, "'$&")
          .replaceAll('"', '""')}"`,
    )
    .join()}\r\n`

/** A file with a first line of names. Excel reads UTF-8 after a byte order mark only. */
export const csvFile = (
  names: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string => `\uFEFF${[names, ...rows].map(csvLine).join('')}`
