/** Text form of vectors in the store interface. */

/** Little-endian float32 in Base64, bit for bit as added. */
export const facenOf = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')
