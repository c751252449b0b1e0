/** Reads and writes the fields of protocol buffers messages, as far as ONNX files need them. */

/** Wire types: https://protobuf.dev/programming-guides/encoding/#structure */
const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const

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

const tag = (field: number, wireType: number) => varint((field << 3) | wireType)

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
  concat([tag(field, WIRE.varint), varint(value)])

/** A field of raw bytes or of an embedded message. */
export const bytesField = (field: number, value: Uint8Array): Uint8Array =>
  concat([tag(field, WIRE.bytes), varint(value.length), value])

export const textField = (field: number, value: string): Uint8Array => bytesField(field, Buffer.from(value))

export function floatField(field: number, value: number): Uint8Array {
  const bits = new Uint8Array(4)
  new DataView(bits.buffer).setFloat32(0, value, true)
  return concat([tag(field, WIRE.fixed32), bits])
}

export interface Field {
  readonly number: number
  /** Value of a varint; inexact beyond 53 bits. */
  readonly value: number
  /** Content of a string, bytes or embedded message; empty for other fields. */
  readonly bytes: Uint8Array
  /** The whole field with its tag. */
  readonly whole: Uint8Array
}

export const textOf = ({ bytes }: Field): string => new TextDecoder().decode(bytes)

/** The fields in message order. Throws a RangeError for an invalid message. */
export function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = () => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const digit = message[at++]
      if (digit === undefined) throw new RangeError('a varint is cut off')
      value += (digit & 127) * scale
      if (digit < 128) return value
    }
  }
  const skip = (length: number): Uint8Array => {
    at += length
    if (at > message.length) throw new RangeError('a field is cut off')
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const start = at
    const tag = varint()
    const wire = tag % 8
    const field = { number: Math.floor(tag / 8), value: 0, bytes: message.subarray(0, 0) }
    if (wire === WIRE.varint) field.value = varint()
    else if (wire === WIRE.bytes) field.bytes = skip(varint())
    else if (wire === WIRE.fixed32) skip(4)
    else if (wire === WIRE.fixed64) skip(8)
    else throw new RangeError(`a field of the unknown wire type ${wire}`)
    fields.push({ ...field, whole: message.subarray(start, at) })
  }
  return fields
}
