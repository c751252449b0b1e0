/** Troubles of files that are none: for `catch`. */

/** Gives undefined for an error with this code, such as ENOENT for what is not there; any other trouble is thrown on. */
export const ignoreCode =
  (code: string) =>
  (error: unknown): undefined => {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined
    throw error
  }
