/** The error for invalid command lines. */

/** An invalid option or argument. Commands print the message with their usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
