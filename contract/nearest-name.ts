/** Suggests the name that a caller probably meant. */

/** Name with the least edit distance to `given`; the first of equals. Undefined for an empty list. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const distances = new Map(names.map(name => [name, edits(given, name)]))
  return names.toSorted((a, b) => distances.get(a)! - distances.get(b)!)[0]
}

/** Nearest name, ignoring case. Undefined when the edit distance exceeds a third of the longer name. */
export function likelyName(given: string, names: readonly string[]): string | undefined {
  const lower = given.toLowerCase()
  const most = (name: string) => Math.max(lower.length, name.length) / 3
  // The edit distance is at least the difference of the lengths.
  const near = names.filter(name => Math.abs(lower.length - name.length) <= most(name))
  const name = nearestName(lower, near)
  return name !== undefined && edits(lower, name) <= most(name) ? name : undefined
}

/** Levenshtein distance (1966). Keeps one row of the table at a time. */
function edits(from: string, to: string) {
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
