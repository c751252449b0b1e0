/** Lines of CSV files (RFC 4180). */

/** A line. A text that a spreadsheet would compute begins with an apostrophe. */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells
    .map(
      cell =>
        `"${String(cell ?? '')
          .replace(/^[=+\-@\t\r]/, "'$&")
          .replaceAll('"', '""')}"`,
    )
    .join()}\r\n`
