/** Vectors in pgvector's binary format, which preserves them bit for bit. */

/** pgvector's format: the uint16 number of values, two zero bytes, and each value as a big-endian float32. */
const HEADER_BYTES = 4

/** Encodes a vector. */
export function vectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + 4 * vector.length)
  bytes.writeUInt16BE(vector.length, 0)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let i = 0; i < vector.length; i++) view.setFloat32(HEADER_BYTES + 4 * i, vector[i]!)
  return bytes
}

/** Decodes the hexadecimal text that PostgreSQL returns for bytes. */
export function vectorOf(text: string): Float32Array {
  const bytes = Buffer.from(text.slice(HEX.length), 'hex')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const vector = new Float32Array(view.getUint16(0))
  for (let i = 0; i < vector.length; i++) vector[i] = view.getFloat32(HEADER_BYTES + 4 * i)
  return vector
}

const HEX = '\\x'
