/**
 * Writes the wire format of protocol buffers, as far as ONNX files need it. A message is the concatenation of its
 * fields.
 */

/** Wire types: https://protobuf.dev/programming-guides/encoding/#structure */
const VARINT = 0
const LENGTH_DELIMITED = 2
const FIXED_32 = 5

const utf8 = new TextEncoder()

/** Base-128 varint; negative numbers as 64-bit two's complement. */
function varint(value: number | bigint): Uint8Array {
  const digits: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  do {
    const low = Number(rest & 127n)
    rest >>= 7n
    digits.push(rest > 0n ? low | 128 : low)
  } while (rest > 0n)
  return Uint8Array.from(digits)
}

const tag = (field: number, wireType: number): Uint8Array => varint((field << 3) | wireType)

/** Concatenates all parts: the fields of a message, or the bytes of a file. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((total, part) => total + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** A field of an int32, int64, bool or enum. */
export const integerField = (field: number, value: number | bigint): Uint8Array =>
  concat([tag(field, VARINT), varint(value)])

/** A field of raw bytes or of an embedded message. */
export const bytesField = (field: number, value: Uint8Array): Uint8Array =>
  concat([tag(field, LENGTH_DELIMITED), varint(value.length), value])

export const textField = (field: number, value: string): Uint8Array => bytesField(field, utf8.encode(value))

export function floatField(field: number, value: number): Uint8Array {
  const bits = new Uint8Array(4)
  new DataView(bits.buffer).setFloat32(0, value, true)
  return concat([tag(field, FIXED_32), bits])
}
