/** Writes JSON for people who read differences: what fits a line stays on one. */

/** Characters of a line, with its indentation. A text that is longer stays whole. */
const LINE_WIDTH = 120

/** The value as `JSON.stringify` sees it. Lists and objects that fit a line are not broken. */
export const compactJson = (value: unknown): string => linesOf(JSON.parse(JSON.stringify(value)), '')

function linesOf(value: unknown, indentation: string): string {
  const flat = oneLine(value)
  if (typeof value !== 'object' || value === null || indentation.length + flat.length < LINE_WIDTH)
    return flat
  const inner = `${indentation}  `
  const parts = Array.isArray(value)
    ? value.map(element => linesOf(element, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${linesOf(member, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${parts.map(part => inner + part).join(',\n')}\n${indentation}${close}`
}

function oneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${oneLine(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
