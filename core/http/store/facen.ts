/** Vectors as the store's interface shows them. */

/** Little-endian float32 in Base64: the bytes that were added. */
export const facenOf = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')
