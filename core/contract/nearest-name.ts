/** Which of some names was probably meant. */

/** The name that the fewest edits turn into the given one; the first of several. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  return names.toSorted((a, b) => edits(given, a) - edits(given, b))[0]
}

/** The nearest name, in any case, if no more than a third of its letters or of the given name's letters differ. */
export function isNearName(given: string, names: readonly string[]): string | undefined {
  const lower = given.toLowerCase()
  const name = nearestName(lower, names)
  if (name === undefined) return undefined
  return edits(lower, name) <= Math.max(lower.length, name.length) / 3 ? name : undefined
}

/** How many letters have to be inserted, removed or replaced (Levenshtein 1966). One row of the usual table at a time. */
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
