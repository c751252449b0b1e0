/** Lists of things that a test makes. */

/** What `make` returns for each number from 0 up to `count`. */
export const times = <Made>(count: number, make: (index: number) => Made): Made[] =>
  Array.from({ length: count }, (_, i) => make(i))
