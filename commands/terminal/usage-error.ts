/** Commands that can't be meant as they were typed. */

/** The operator asked for something that can't be meant; the usage helps. */
export class UsageError extends Error {
  override readonly name = 'Misused'
}
