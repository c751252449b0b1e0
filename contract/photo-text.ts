/** Recognizes photos that are written as text. */

/** Bytes or characters of a text that are looked at. */
const LOOKED_AT = 300

/**
 * Base64 alone or after the head of a data: URL, also in quotes, with line breaks, and as Python prints bytes. No other text begins
 * with 64 characters of Base64.
 */
const BASE64 =
  /^(?:\xef\xbb\xbf|\ufeff)?\s*(?:b?['"])?(?:(?:data:[^,]{0,100}|[\w/;=+.-]{0,100}base64),)?\s*(?:[\w+/-][\r\n]*){64}/i

const beginningOf = (text: Uint8Array | string) =>
  typeof text === 'string' ? text.slice(0, LOOKED_AT) : String.fromCharCode(...text.subarray(0, LOOKED_AT))

/** Whether a text begins with a file in base64. */
export const isBase64 = (text: Uint8Array | string): boolean => BASE64.test(beginningOf(text))

export const isDataUrl = (text: Uint8Array | string): boolean => /^\s{0,9}data:/i.test(beginningOf(text))
