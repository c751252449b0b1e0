/** Counted nouns in texts for people. */

/** For example `1 face`, `2 faces`, and with `people` as the plural `2 people`. `shown` formats the number. */
export const countText = (count: number, one: string, many = `${one}s`, shown = String(count)): string =>
  `${shown} ${count === 1 ? one : many}`
