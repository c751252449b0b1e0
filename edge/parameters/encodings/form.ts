/** Parses a query string or a URL-encoded form. Values stay bytes until a caller needs text. */
import { pause } from '../../admission/fair-queue.ts'

const AMPERSAND = 0x26
const EQUALS = 0x3d
const PERCENT = 0x25
const PLUS = 0x2b
const SPACE = 0x20

/** Bytes decoded between pauses: a few milliseconds of computation. */
const PIECE_BYTES = 2 ** 20

/** Decodes `bytes` in place and calls `field` for each field in order, including empty fields. */
export async function readForm(
  bytes: Uint8Array,
  field: (name: Uint8Array, value: Uint8Array) => Promise<void>,
): Promise<void> {
  for (let start = 0; start <= bytes.length; ) {
    const ampersand = bytes.indexOf(AMPERSAND, start)
    const end = ampersand < 0 ? bytes.length : ampersand
    await readField(bytes.subarray(start, end), field)
    start = end + 1
  }
}

async function readField(bytes: Uint8Array, field: (name: Uint8Array, value: Uint8Array) => Promise<void>) {
  const equals = bytes.indexOf(EQUALS)
  const nameEnd = equals < 0 ? bytes.length : equals
  await field(await decodeField(bytes.subarray(0, nameEnd)), await decodeField(bytes.subarray(nameEnd + 1)))
}

async function decodeField(bytes: Uint8Array): Promise<Uint8Array> {
  let [read, written] = [0, 0]
  while (read < bytes.length) {
    if (read > 0) await pause(0)
    ;[read, written] = decodePiece(bytes, read, written)
  }
  return bytes.subarray(0, written)
}

/**
 * Decodes the piece that begins at `read`. Returns the read and write positions of the next piece. A percent sign without
 * two hexadecimal digits stays literal, as in browsers.
 */
function decodePiece(bytes: Uint8Array, read: number, written: number): [number, number] {
  const end = Math.min(bytes.length, read + PIECE_BYTES)
  let from = read
  let to = written
  for (; from < end; from++) {
    const byte = bytes[from]!
    const escaped = byte === PERCENT ? hexPair(bytes[from + 1], bytes[from + 2]) : -1
    if (escaped >= 0) from += 2
    const plain = byte === PLUS ? SPACE : byte
    bytes[to++] = escaped >= 0 ? escaped : plain
  }
  return [from, to]
}

/** Value of two hexadecimal digits; -1 for other bytes. */
export const hexPair = (high = 0, low = 0): number => {
  const first = hexDigit(high)
  const second = hexDigit(low)
  return first < 0 || second < 0 ? -1 : first * 16 + second
}

function hexDigit(byte: number) {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
