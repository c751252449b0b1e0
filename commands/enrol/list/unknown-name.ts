/** The sentence about a column, field or placeholder that a list may not have. */
import { likelyName } from '../../../contract/nearest-name.ts'

/** `kind` is a noun. The sentence suggests a known name if one is near. */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  const near = likelyName(name, known)
  const advice = near === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${near}?`
  return `There is no ${kind} ${JSON.stringify(name.slice(0, 60))}. ${advice}`
}
