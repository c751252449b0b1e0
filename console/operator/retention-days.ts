/** Retention as a visitor types it. 0 is for ever. */

/** Greatest retention in days. */
const MOST_DAYS = 36_500

/** The typed days; undefined for anything but a whole number of days. Nothing is 0. */
export function retentionIn(typed: string): number | undefined {
  const text = typed.trim()
  if (text === '') return 0
  return /^\d{1,5}$/.test(text) && Number(text) <= MOST_DAYS ? Number(text) : undefined
}

/** Whether a change deletes faces that were kept before. */
export const deletesFaces = (before: number, after: number): boolean =>
  after > 0 && (before === 0 || after < before)
