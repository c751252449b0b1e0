/** Omits absent fields from messages and documents. */

/** An object with one field, or an empty object when the value is undefined. */
export const omitUndefined = <K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> =>
  value === undefined ? {} : ({ [key]: value } as Record<K, T>)

/** The fields that are not null. */
export const omitNull = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
