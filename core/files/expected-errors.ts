/** Handlers for `catch` that ignore expected file errors. */

/** Returns undefined for an error with this code, for example ENOENT. Rethrows other errors. */
export const ignoreCode =
  (code: string) =>
  (error: unknown): undefined => {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined
    throw error
  }
