/** UTF-8, SHA-256 and hexadecimal digits. */

/** UTF-8 of a text. TextEncoder never returns shared memory, but some type definitions allow it. */
export const utf8 = (text: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>

/** Lower-case hexadecimal digits. */
export const hex = (bytes: ArrayBuffer | Uint8Array): string =>
  Array.from(new Uint8Array(bytes as ArrayBuffer), byte => byte.toString(16).padStart(2, '0')).join('')

/** SHA-256 of bytes or of UTF-8 text, as lower-case hexadecimal digits. */
export const sha256 = async (data: Uint8Array<ArrayBuffer> | string): Promise<string> =>
  hex(await crypto.subtle.digest('SHA-256', typeof data === 'string' ? utf8(data) : data))
