/** Bounds JSON texts before they are parsed: their values, levels and top-level names. */
import { REQUEST_LIMITS } from '../limits/requests.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Structural meaning of a byte outside strings; 0 for none. */
const [COMMA, COLON, OPENING, CLOSING, TEXT] = [1, 2, 3, 4, 5] as const
const MEANINGS = new Uint8Array(256)
for (const [characters, meaning] of [
  [',', COMMA],
  [':', COLON],
  ['[{', OPENING],
  [']}', CLOSING],
  ['"', TEXT],
] as const)
  for (const character of characters) MEANINGS[character.charCodeAt(0)] = meaning

/** A scan of a JSON text in pieces. */
interface Scan {
  /** Continues the scan to `end`. False when values, levels or top-level names exceed their limits. */
  to(end: number): boolean
  /** Byte ranges of the names of the outermost object, quotes included. */
  names: readonly (readonly [number, number])[]
}

/** Scans any bytes. For invalid JSON the result has no meaning. */
export function scanJson(bytes: Uint8Array, levels: number): Scan {
  const names: [number, number][] = []
  let at = 0
  let level = 0
  let values = 1
  let isInText = false
  let textStart = 0
  let textEnd = 0

  const skipText = (end: number) => {
    let i = at
    for (; i < end && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++
    isInText = i >= end
    textEnd = at = isInText ? i : i + 1
  }

  /** False when a limit is exceeded. */
  const count = (meaning: number | undefined) => {
    if (meaning === TEXT) {
      isInText = true
      textStart = at - 1
    } else if (meaning === COLON && level === 1) names.push([textStart, textEnd])
    else if (meaning === CLOSING) level--
    else if (meaning === OPENING) level++
    if (meaning === OPENING || meaning === COMMA) values++
    return (
      values <= REQUEST_LIMITS.jsonValues && level <= levels && names.length <= REQUEST_LIMITS.requestFields
    )
  }

  return {
    names,
    to(end) {
      while (at < end) {
        if (isInText) skipText(end)
        else {
          const meaning = MEANINGS[bytes[at++]!]
          if (meaning !== 0 && !count(meaning)) return false
        }
      }
      return true
    },
  }
}

/** Value of a JSON text in a field; undefined for invalid JSON and when a limit is exceeded. */
export function parseJsonText(text: string): unknown {
  if (text.length > REQUEST_LIMITS.structureLength) return undefined
  const bytes = new TextEncoder().encode(text)
  if (!scanJson(bytes, REQUEST_LIMITS.nestingLevels).to(bytes.length)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A value that may arrive as JSON text: the value of the text, or the value itself. */
export const parsedText = (value: unknown): unknown =>
  typeof value === 'string' ? parseJsonText(value) : value
