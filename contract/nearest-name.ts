/** Suggests the name that a caller probably meant. */

/** Name with the least edit distance to `given`; the first of equals. Undefined for an empty list. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  return names.toSorted((a, b) => edits(given, a) - edits(given, b))[0]
}

/** Nearest name, ignoring case. Undefined when the edit distance exceeds a third of the longer name. */
export function likelyName(given: string, names: readonly string[]): string | undefined {
  const lower = given.toLowerCase()
  const name = nearestName(lower, names)
  if (name === undefined) return undefined
  return edits(lower, name) <= Math.max(lower.length, name.length) / 3 ? name : undefined
}

/** Levenshtein distance (1966). Keeps one row of the table at a time. */
function edits(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1]
    for (let column = 0; column < to.length; column++) {
      const replaced = above[column]! + (letter === to[column] ? 0 : 1)
      current.push(Math.min(replaced, above[column + 1]! + 1, current[column]! + 1))
    }
    above = current
  }
  return above.at(-1) ?? 0
}
