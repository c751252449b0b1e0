/**
 * Inflates a zlib stream (RFC 1950, 1951) in pieces. The platform's DecompressionStream is faster, but workerd
 * inflates all input before the first read, and a file of 10 MB can inflate to 10 GB.
 */
import { longEntry, PEEK, type PrefixCode, prefixCode } from './huffman.ts'

/** Maximum distance of a copy. A piece has about this length, plus at most one copy. */
const WINDOW = 32_768
const LONGEST_COPY = 258

/** Maximum blocks per piece. It bounds the time of a piece when the stream has many empty blocks. */
const BLOCKS_A_PIECE = 64

/** Zeros after the stream: bits are read ahead. */
const PADDING = 8

const END_OF_BLOCK = 256

/** RFC 1951, 3.2.5: least length and number of extra bits for each symbol from 257 on; the same for distances. */
// biome-ignore format: as in the RFC
const LENGTHS = Uint16Array.of(
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258)
// biome-ignore format: as in the RFC
const LENGTH_BITS = Uint8Array.of(
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0)
// biome-ignore format: as in the RFC
const DISTANCES = Uint16Array.of(
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577)

/** Extra bits of a distance symbol: none for the first four, then one bit more for each pair of symbols. */
const distanceBits = (symbol: number): number => (symbol < 4 ? 0 : (symbol >> 1) - 1)

/** RFC 1951, 3.2.7: the order in which the lengths of the code-length code are stored. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

/** RFC 1951, 3.2.6. */
const FIXED_LITERALS = prefixCode(
  Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)),
)
const FIXED_DISTANCES = prefixCode(new Uint8Array(30).fill(5))

export class Inflate {
  readonly #stream: Uint8Array
  readonly #end: number
  #at = 0
  /** Bits read from the stream and not used yet, lowest first. */
  #bits = 0
  #bitCount = 0

  /** Up to WINDOW bytes of earlier output, then the current output up to #filled. */
  readonly #window = new Uint8Array(2 * WINDOW + LONGEST_COPY)
  #filled = WINDOW
  /** Offset in the window at which the stream's output begins. */
  #begin = WINDOW

  #block: 'none' | 'last' | 'stored' | 'coded' = 'none'
  #isLast = false
  #storedLeft = 0
  /** Blocks opened for the current piece. */
  #opened = 0
  #literals: PrefixCode = FIXED_LITERALS
  #distances: PrefixCode = FIXED_DISTANCES

  /** `pieces` are concatenated to the stream. */
  constructor(pieces: readonly Uint8Array[]) {
    this.#end = pieces.reduce((sum, { length }) => sum + length, 0)
    this.#stream = new Uint8Array(this.#end + PADDING)
    let at = 0
    for (const piece of pieces) {
      this.#stream.set(piece, at)
      at += piece.length
    }
    // The method must be 8, the header a multiple of 31, and no preset dictionary may be required.
    const header = (this.#stream[0]! << 8) | this.#stream[1]!
    if ((header & 0x0f20) !== 0x0800 || header % 31 !== 0) throw new Error('no zlib stream')
    this.#at = 2
  }

  /**
   * The next bytes: about 32 KiB at most, and an empty view when blocks are short. The next call overwrites the view.
   * Returns undefined after the last byte. Throws when the stream is damaged or ends too early, after the bytes
   * before the damage were returned. Checksums are not verified.
   */
  next(): Uint8Array | undefined {
    this.#slide()
    this.#opened = 0
    try {
      while (this.#wantsMore()) this.#proceed()
    } catch (damage) {
      if (this.#filled === WINDOW) throw damage
    }
    const isBehindTheLast = this.#block === 'last' && this.#filled === WINDOW
    return isBehindTheLast ? undefined : this.#window.subarray(WINDOW, this.#filled)
  }

  #wantsMore(): boolean {
    return this.#filled < 2 * WINDOW && this.#block !== 'last' && this.#opened <= BLOCKS_A_PIECE
  }

  #slide(): void {
    const inflated = this.#filled - WINDOW
    this.#window.copyWithin(0, inflated, this.#filled)
    this.#begin = Math.max(0, this.#begin - inflated)
    this.#filled = WINDOW
  }

  #proceed(): void {
    if (this.#block === 'coded') this.#decode()
    else if (this.#block === 'stored') this.#copyStored()
    else this.#open()
  }

  /** Ensures that at least 16 bits are available. */
  #fill(): void {
    if (this.#at > this.#end) throw cutOff()
    for (; this.#bitCount < 16; this.#bitCount += 8) this.#bits |= this.#stream[this.#at++]! << this.#bitCount
  }

  /** Consumes up to 16 bits. */
  #take(count: number): number {
    this.#fill()
    const taken = this.#bits & ((1 << count) - 1)
    this.#bits >>>= count
    this.#bitCount -= count
    return taken
  }

  #symbol(code: PrefixCode): number {
    this.#fill()
    const entry = code.short[this.#bits & PEEK]! || longEntry(code, this.#bits)
    if (entry === 0) throw noCode()
    this.#bits >>>= entry & 15
    this.#bitCount -= entry & 15
    return entry >> 4
  }

  #open(): void {
    this.#opened++
    this.#isLast = this.#take(1) === 1
    const kind = this.#take(2)
    if (kind === 0) this.#openStored()
    else if (kind === 1) this.#openCoded(FIXED_LITERALS, FIXED_DISTANCES)
    else if (kind === 2) this.#openDynamic()
    else throw new Error('a block of a kind that there is not')
  }

  #close(): void {
    this.#block = this.#isLast ? 'last' : 'none'
  }

  /** Discards the bits up to the next byte boundary, and returns whole bytes read ahead. */
  #openStored(): void {
    this.#at -= this.#bitCount >> 3
    this.#bits = 0
    this.#bitCount = 0
    const length = this.#take(16)
    if (length !== (this.#take(16) ^ 0xffff)) throw new Error('the length of a stored block is damaged')
    this.#storedLeft = length
    this.#block = 'stored'
  }

  #copyStored(): void {
    const length = Math.min(this.#storedLeft, 2 * WINDOW - this.#filled, this.#end - this.#at)
    if (length === 0 && this.#storedLeft > 0) throw cutOff()
    this.#window.set(this.#stream.subarray(this.#at, this.#at + length), this.#filled)
    this.#filled += length
    this.#at += length
    this.#storedLeft -= length
    if (this.#storedLeft === 0) this.#close()
  }

  #openCoded(literals: PrefixCode, distances: PrefixCode): void {
    this.#literals = literals
    this.#distances = distances
    this.#block = 'coded'
  }

  #openDynamic(): void {
    const literals = this.#take(5) + 257
    const distances = this.#take(5) + 1
    const meta = new Uint8Array(ORDER.length)
    for (let i = this.#take(4) + 4, at = 0; at < i; at++) meta[ORDER[at]!] = this.#take(3)
    const code = prefixCode(meta)
    const lengths = new Uint8Array(literals + distances)
    for (let at = 0; at < lengths.length; ) {
      const symbol = this.#symbol(code)
      if (symbol < 16) lengths[at++] = symbol
      else {
        const [least, bits] = symbol === 16 ? [3, 2] : symbol === 17 ? [3, 3] : [11, 7]
        const end = at + least + this.#take(bits)
        if (end > lengths.length || (symbol === 16 && at === 0)) throw new Error('lengths of codes run over')
        lengths.fill(symbol === 16 ? lengths[at - 1]! : 0, at, end)
        at = end
      }
    }
    this.#openCoded(prefixCode(lengths.subarray(0, literals)), prefixCode(lengths.subarray(literals)))
  }

  /**
   * Decodes symbols of a block until the block ends or the window is full. The inner loop handles literal bytes,
   * which are most symbols of a photo.
   */
  #decode(): void {
    const { short } = this.#literals
    const window = this.#window
    const stream = this.#stream
    while (this.#block === 'coded' && this.#filled < 2 * WINDOW) {
      let [at, bits, bitCount, filled] = [this.#at, this.#bits, this.#bitCount, this.#filled]
      let entry = 0
      while (at < this.#end && filled < 2 * WINDOW) {
        if (bitCount < 16) {
          bits |= (stream[at]! | (stream[at + 1]! << 8)) << bitCount
          at += 2
          bitCount += 16
        }
        entry = short[bits & PEEK]!
        if (entry === 0 || entry >= END_OF_BLOCK << 4) break
        window[filled++] = entry >> 4
        bits >>>= entry & 15
        bitCount -= entry & 15
      }
      this.#at = at
      this.#bits = bits
      this.#bitCount = bitCount
      this.#filled = filled
      if (filled === 2 * WINDOW) return
      const symbol = this.#symbol(this.#literals)
      if (symbol < END_OF_BLOCK) window[this.#filled++] = symbol
      else if (symbol > END_OF_BLOCK) this.#copy(symbol - END_OF_BLOCK - 1)
      else this.#close()
    }
  }

  /** Copies earlier output. `which` is an index into LENGTHS; the distance follows in the stream. */
  #copy(which: number): void {
    const least = LENGTHS[which]
    if (least === undefined) throw noCode()
    const end = this.#filled + least + this.#take(LENGTH_BITS[which]!)
    const symbol = this.#symbol(this.#distances)
    const nearest = DISTANCES[symbol]
    if (nearest === undefined) throw noCode()
    let from = this.#filled - nearest - this.#take(distanceBits(symbol))
    if (from < this.#begin) throw new Error('a copy of what comes before the stream')
    const window = this.#window
    for (let to = this.#filled; to < end; ) window[to++] = window[from++]!
    this.#filled = end
  }
}

const cutOff = () => new Error('the stream is cut off')
const noCode = () => new Error('bits that are no code')
