/** CSV files (RFC 4180). */

/** A record with its line end. A text that a spreadsheet would compute begins with an apostrophe. */
export const csvRecord = (cells: readonly (string | number | null | undefined)[]): string =>
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
): string => `\uFEFF${[names, ...rows].map(csvRecord).join('')}`
