/** Vectors as they travel between PostgreSQL and us: in pgvector's binary form, so that they come back to the bit. */

/** pgvector's form: the number of numbers, two bytes of nothing, and each number as a big-endian float32. */
const HEADER_BYTES = 4

export function vectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + 4 * vector.length)
  bytes.writeUInt16BE(vector.length, 0)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let i = 0; i < vector.length; i++) view.setFloat32(HEADER_BYTES + 4 * i, vector[i]!)
  return bytes
}

/** The vector in such bytes, as PostgreSQL writes bytes in text. */
export function vectorOf(text: string): Float32Array {
  const bytes = Buffer.from(text.slice(HEX.length), 'hex')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const vector = new Float32Array(view.getUint16(0))
  for (let i = 0; i < vector.length; i++) vector[i] = view.getFloat32(HEADER_BYTES + 4 * i)
  return vector
}

const HEX = '\\x'
