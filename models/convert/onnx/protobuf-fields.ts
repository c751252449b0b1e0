/** Reads the fields of a protocol buffers message without copying, as far as ONNX files need it. */

/** Wire types: https://protobuf.dev/programming-guides/encoding/#structure */
const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const

export interface Field {
  readonly number: number
  /** Value of a varint; inexact beyond 53 bits. */
  readonly value: number
  /** Content of a string, bytes or embedded message; empty for other fields. */
  readonly bytes: Uint8Array
  /** The whole field with its tag. */
  readonly whole: Uint8Array
}

const utf8 = new TextDecoder()

export const textOf = ({ bytes }: Field): string => utf8.decode(bytes)

/** The fields in message order. Throws a RangeError for an invalid message. */
export function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = (): number => {
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
