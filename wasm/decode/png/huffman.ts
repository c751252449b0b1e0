/** Prefix codes of deflate (RFC 1951, 3.2.2): builds tables from code lengths, and looks up symbols. */

/** Codes of up to this many bits are found by one table lookup. */
export const PEEK_BITS = 10
export const PEEK = 2 ** PEEK_BITS - 1

const LONGEST_CODE = 15

/** An entry holds the symbol and, in its lowest four bits, the length of its code; 0 means no code. */
export interface PrefixCode {
  /** Entries by the next PEEK_BITS bits of the stream; 0 when the code is longer or does not exist. */
  readonly short: Uint16Array
  /** Number of codes of each length. */
  readonly counts: Uint16Array
  /** Symbols in the order of their codes. */
  readonly symbols: Uint16Array
}

/** The code in which symbol i has lengths[i] bits; length 0 means no code. Throws when no code has these lengths. */
export function prefixCode(lengths: Uint8Array): PrefixCode {
  const counts = new Uint16Array(LONGEST_CODE + 1)
  for (const length of lengths) counts[length]!++
  counts[0] = 0
  const next = new Uint16Array(LONGEST_CODE + 2)
  const place = new Uint16Array(LONGEST_CODE + 2)
  for (let length = 1, free = 1; length <= LONGEST_CODE; length++) {
    const count = counts[length]!
    free = 2 * free - count
    if (free < 0) throw new Error('more codes than their lengths leave room for')
    next[length + 1] = 2 * (next[length]! + count)
    place[length + 1] = place[length]! + count
  }
  const short = new Uint16Array(PEEK + 1)
  const symbols = new Uint16Array(lengths.length)
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue
    symbols[place[length]!++] = symbol
    const code = reversed(next[length]!++, length)
    if (length > PEEK_BITS) continue
    for (let bits = code; bits <= PEEK; bits += 2 ** length) short[bits] = (symbol << 4) | length
  }
  return { short, counts, symbols }
}

/** Decodes a code that is missing in `short` bit by bit. Returns its entry; 0 when the bits are no code. */
export function longEntry({ counts, symbols }: PrefixCode, bits: number): number {
  for (let length = 1, code = 0, first = 0, place = 0; length <= LONGEST_CODE; length++) {
    code |= (bits >>> (length - 1)) & 1
    const count = counts[length]!
    if (code < first + count) return (symbols[place + code - first]! << 4) | length
    place += count
    first = 2 * (first + count)
    code *= 2
  }
  return 0
}

/** Reverses bits: codes store their highest bit first, all other values their lowest. */
function reversed(code: number, length: number): number {
  let bits = 0
  for (let i = 0; i < length; i++) bits |= ((code >> i) & 1) << (length - 1 - i)
  return bits
}
