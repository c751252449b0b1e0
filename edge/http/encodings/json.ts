/** JSON that is counted before it is parsed: values, levels, and the names at the top. */
import { LIMITS } from '../../../core/contract/limits.ts'
import { pause } from '../../admission/fair-queue.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** What a byte outside texts means: 0 is nothing. */
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

/** Bytes that are scanned without a pause: a few milliseconds of work. */
const PIECE = 2 ** 21

interface Scan {
  /** Scans on to `end`. False when there are too many values, levels or names at the top. */
  to(end: number): boolean
  /** Where the names of the outermost object lie, with their quotes. */
  names: readonly (readonly [number, number])[]
}

/** What is no JSON is scanned as well, and means nothing. */
function scan(bytes: Uint8Array, levels: number): Scan {
  const names: [number, number][] = []
  let at = 0
  let level = 0
  let values = 1
  let isInText = false
  let textStart = 0
  let textEnd = 0

  const skipText = (end: number): void => {
    let i = at
    for (; i < end && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++
    isInText = i >= end
    textEnd = at = isInText ? i : i + 1
  }

  /** False when that is too much. */
  const count = (meaning: number | undefined): boolean => {
    if (meaning === TEXT) {
      isInText = true
      textStart = at - 1
    } else if (meaning === COLON && level === 1) names.push([textStart, textEnd])
    else if (meaning === CLOSING) level--
    else if (meaning === OPENING) level++
    if (meaning === OPENING || meaning === COMMA) values++
    return values <= LIMITS.jsonValues && level <= levels && names.length <= LIMITS.requestFields
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

/**
 * The bytes of the names of a JSON object, as often as they come; undefined when the text holds too much. Other requests
 * are heard meanwhile.
 */
export async function jsonNames(bytes: Uint8Array): Promise<Uint8Array[] | undefined> {
  // The body itself is a level.
  const scanned = scan(bytes, LIMITS.nestingLevels + 1)
  for (let end = 0; end < bytes.length; ) {
    if (end > 0) await pause(0)
    end = Math.min(bytes.length, end + PIECE)
    if (!scanned.to(end)) return undefined
  }
  return scanned.names.map(([start, end]) => bytes.subarray(start, end))
}

/** A JSON text within a field; undefined when it is none, or holds too much. */
export function parseJsonText(text: string): unknown {
  if (text.length > LIMITS.structureLength) return undefined
  const bytes = new TextEncoder().encode(text)
  if (!scan(bytes, LIMITS.nestingLevels).to(bytes.length)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
