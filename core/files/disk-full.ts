/** The lack of room on a disk, as everything that writes reports it. */

/** There is too little room to begin. Nothing was written. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull'
  readonly code = 'ENOSPC'
}

/**
 * No room, a quota, or a limit on the size of files. SQLite reports what it can't write as an input or output error, too;
 * those of reading are damage. 53100 is PostgreSQL's.
 */
const CODES =
  /^(ENOSPC|EDQUOT|EFBIG|53100|SQLITE_FULL|SQLITE_IOERR(?!_(READ|SHORT_READ|CORRUPTFS|DATA))(_\w+)?)$/

/** Whether this error, or what caused it, is the lack of room. A part of the store says so by `why`. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('why' in error && error.why === 'full') return true
  return ('code' in error && CODES.test(String(error.code))) || isDiskFull(error.cause)
}
