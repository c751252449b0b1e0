/** What was given: messages to core leave out what was not. */

/** The field, unless its value is undefined. */
export const omitUndefined = <K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> =>
  value === undefined ? {} : ({ [key]: value } as Record<K, T>)
