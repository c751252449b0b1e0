/** A query string or a form body -> its fields. Values stay bytes until somebody needs them as text. */
import { pause } from '../../admission/fair-queue.ts'

const AMPERSAND = 0x26
const EQUALS = 0x3d
const PERCENT = 0x25
const PLUS = 0x2b
const SPACE = 0x20

/** Bytes that are decoded without a pause: a few milliseconds of work. */
const PIECE = 2 ** 20

/** Decodes `bytes` in place and calls `field` for each field in their order, also for empty ones. */
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

async function readField(
  bytes: Uint8Array,
  field: (name: Uint8Array, value: Uint8Array) => Promise<void>,
): Promise<void> {
  const equals = bytes.indexOf(EQUALS)
  const nameEnd = equals < 0 ? bytes.length : equals
  await field(await decoded(bytes.subarray(0, nameEnd)), await decoded(bytes.subarray(nameEnd + 1)))
}

async function decoded(bytes: Uint8Array): Promise<Uint8Array> {
  let [read, written] = [0, 0]
  while (read < bytes.length) {
    if (read > 0) await pause(0)
    ;[read, written] = decodePiece(bytes, read, written)
  }
  return bytes.subarray(0, written)
}

/**
 * Decodes the piece that begins at `read`, and answers where the next one begins and is written. A percent sign without two
 * hexadecimal digits stands for itself, as in browsers.
 */
function decodePiece(bytes: Uint8Array, read: number, written: number): [number, number] {
  const end = Math.min(bytes.length, read + PIECE)
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

/** The value of two hexadecimal digits; negative when they are none. */
const hexPair = (high = 0, low = 0): number => {
  const first = hexDigit(high)
  const second = hexDigit(low)
  return first < 0 || second < 0 ? -1 : first * 16 + second
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
