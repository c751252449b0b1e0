/** Looks at a JSON body before it is parsed: its top-level names, and photos that an encoder wrote as numbers. */
import { badParam } from '../../../contract/errors.ts'
import { REQUEST_LIMITS } from '../../../contract/limits/requests.ts'
import { scanJson } from '../../../contract/parameters/json-text.ts'
import { pause } from '../../admission/fair-queue.ts'

/** Bytes scanned between pauses: a few milliseconds of computation. */
const PIECE_BYTES = 2 ** 21

/**
 * The names of a JSON object as bytes, repetitions included; undefined when a limit is exceeded. Pauses let other requests
 * run during the scan.
 */
export async function jsonNames(bytes: Uint8Array): Promise<Uint8Array[] | undefined> {
  // The body itself counts as a level.
  const scanned = scanJson(bytes, REQUEST_LIMITS.nestingLevels + 1)
  for (let end = 0; end < bytes.length; ) {
    if (end > 0) await pause(0)
    end = Math.min(bytes.length, end + PIECE_BYTES)
    if (!scanned.to(end)) return undefined
  }
  return scanned.names.map(([start, end]) => bytes.subarray(start, end))
}

/** How the values of JSON encoders begin. */
const VALUE_KINDS: readonly (readonly [name: string, beginning: RegExp])[] = [
  ['a list of bytes', /^\[\s*-?\d/],
  ['a Node.js Buffer', /^\{\s*"(?:type"\s*:\s*"Buffer"|data"\s*:\s*\[)/],
  ['a typed array', /^\{\s*"0"\s*:/],
]

/** Characters of a value that show its kind. */
const BEGINNING = 64

/** Throws BAD_PARAM with the way out if one of these photos in a JSON body is numbers. Looks at the first REQUEST_LIMITS.structureLength bytes. */
export function refuseByteLists(body: Uint8Array, photos: readonly string[]): void {
  const text = new TextDecoder('latin1').decode(body.subarray(0, REQUEST_LIMITS.structureLength))
  for (const name of photos) {
    const found = new RegExp(`"${name}(?:\\[\\])?"\\s*:\\s*`).exec(text)
    const start = found ? found.index + found[0].length : text.length
    const value = text.slice(start, start + BEGINNING)
    const [kind] = VALUE_KINDS.find(([, beginning]) => beginning.test(value)) ?? []
    if (kind !== undefined) throw badParam(name, '(bytes)', `${name}: ${EXPECTED}, got ${kind}.`)
  }
}

const EXPECTED =
  'expected a file in a multipart body, or data:image/<type>;base64, followed by the file in base64'
