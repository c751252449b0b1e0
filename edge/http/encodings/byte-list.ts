/** Recognises a file that a JSON encoder wrote as numbers, and refuses it with the way out. */
import { badParam } from '../../../contract/errors.ts'
import { REQUEST_LIMITS } from '../../../contract/limits/requests.ts'

/** How the values of JSON encoders begin. */
const KINDS: readonly (readonly [name: string, beginning: RegExp])[] = [
  ['a list of bytes', /^\[\s*-?\d/],
  ['a Node.js Buffer', /^\{\s*"(?:type"\s*:\s*"Buffer"|data"\s*:\s*\[)/],
  ['a typed array', /^\{\s*"0"\s*:/],
]

/** Characters of a value that show its kind. */
const BEGINNING = 64

/** Throws BAD_PARAM if one of these photos in a JSON body is numbers. Looks at the first REQUEST_LIMITS.structureLength bytes. */
export function refuseByteLists(body: Uint8Array, photos: readonly string[]): void {
  const text = new TextDecoder('latin1').decode(body.subarray(0, REQUEST_LIMITS.structureLength))
  for (const name of photos) {
    const found = new RegExp(`"${name}(?:\\[\\])?"\\s*:\\s*`).exec(text)
    const start = found ? found.index + found[0].length : text.length
    const value = text.slice(start, start + BEGINNING)
    const [kind] = KINDS.find(([, beginning]) => beginning.test(value)) ?? []
    if (kind !== undefined) throw badParam(name, '(bytes)', `${name}: ${EXPECTED}, got ${kind}.`)
  }
}

const EXPECTED =
  'expected a file in a multipart body, or data:image/<type>;base64, followed by the file in base64'
