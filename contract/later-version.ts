/** Recognizes data of a later version of the service. This version neither reads nor changes the data. */

/**
 * Whether a later version wrote a parsed record: its field `version` exceeds `known`, the greatest version that this
 * program reads. A record without the field has version 1.
 */
export const isLaterVersion = (record: unknown, known = 1): boolean =>
  typeof record === 'object' &&
  record !== null &&
  'version' in record &&
  typeof record.version === 'number' &&
  record.version > known

/** Message for the operator. `what` is the path or the address of the data. */
export const laterVersion = (what: string): string =>
  `${what} was written by a later version of Mien. Install that version again, or restore a backup that was made ` +
  'before its first start: docs/upgrade.md.'
