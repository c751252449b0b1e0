/** Recognises errors caused by a full disk. */

/** Too little disk space to start a write. Nothing was written. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull'
  readonly code = 'ENOSPC'
}

/**
 * Codes of a full disk, a quota or a file size limit. SQLite also reports failed writes as I/O errors; its I/O errors of reads
 * mean damage and are excluded. 53100 is `disk_full` of PostgreSQL.
 */
const CODES =
  /^(ENOSPC|EDQUOT|EFBIG|53100|SQLITE_FULL|SQLITE_IOERR(?!_(READ|SHORT_READ|CORRUPTFS|DATA))(_\w+)?)$/

/** Whether a full disk caused this error, directly or by its cause. Errors of the store have `why: 'full'`. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('why' in error && error.why === 'full') return true
  return ('code' in error && CODES.test(String(error.code))) || isDiskFull(error.cause)
}
