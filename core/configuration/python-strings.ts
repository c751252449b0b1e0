/** Decodes Python string literals: quotes, prefixes and escapes. */

/** A prefix, then one of four kinds of quotes around the content. */
const LITERAL = /^([a-z]*)("""|'''|"|')([\s\S]*)\2$/i

/** One escape: a line end, an octal or hexadecimal code, or a letter. */
const ESCAPE = /\\(\r\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])/g

/** Escapes of one character. A backslash at the end of a line joins it with the next line. */
const LETTERS: Record<string, string> = {
  '\n': '',
  '\r\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** Incomplete codes, and character names (which would need Unicode's table). */
const NOT_UNDERSTOOD = /^[xuUN]/

/** The text of a literal; undefined when it is not closed, is a bytes literal, or has an unsupported escape. */
export function textOf(literal: string): string | undefined {
  const [, prefix = '', , inner] = LITERAL.exec(literal) ?? []
  if (inner === undefined || !/^[ru]?$/i.test(prefix)) return undefined
  if (prefix.toLowerCase() === 'r') return inner
  let understood = true
  const text = inner.replace(ESCAPE, (whole, code: string) => {
    const character = LETTERS[code] ?? byCode(code)
    if (character === undefined && NOT_UNDERSTOOD.test(code)) understood = false
    // An unknown escape stays unchanged, as in Python.
    return character ?? whole
  })
  return understood ? text : undefined
}

function byCode(code: string): string | undefined {
  if (/^[0-7]/.test(code)) return String.fromCodePoint(Number.parseInt(code, 8))
  if (!/^[xu][0-9a-f]{2}/i.test(code)) return undefined
  const point = Number.parseInt(code.slice(1), 16)
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined
}
