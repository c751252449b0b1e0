/** Reads a text file line by line, with the byte offsets of the lines. */
import { openRegular } from '../../terminal/bounded-file.ts'

export interface Line {
  /** Counts from 1. */
  number: number
  /** Without LF. `lineText` decodes them. */
  bytes: Uint8Array
  /** Byte offset behind the line end. */
  end: number
  /** False for a last line without a line end. */
  isEnded: boolean
}

/** Longest line in bytes. A longer one is a file of another kind. */
export const LINE_BYTES = 2 ** 20

const LF = 0x0a

/** Yields the lines of a file. Throws LineError for a line above LINE_BYTES. */
export async function* linesOf(path: string): AsyncGenerator<Line> {
  let number = 0
  let end = 0
  let rest: Uint8Array = new Uint8Array()
  const file = await openRegular(path)
  for await (const chunk of file.createReadStream() as AsyncIterable<Buffer>) {
    let bytes: Uint8Array = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF)) {
      end += at + 1
      yield lineOf(bytes.subarray(0, at), { number: ++number, end, isEnded: true })
      bytes = bytes.subarray(at + 1)
    }
    if (bytes.length > LINE_BYTES) throw new LineError(number + 1, tooLong)
    rest = bytes
  }
  if (rest.length > 0) yield lineOf(rest, { number: number + 1, end: end + rest.length, isEnded: false })
}

function lineOf(bytes: Uint8Array, place: Omit<Line, 'bytes'>): Line {
  if (bytes.length > LINE_BYTES) throw new LineError(place.number, tooLong)
  return { ...place, bytes }
}

/** A line that cannot be read. */
export class LineError extends Error {
  override readonly name = 'LineError'
  readonly line: number

  constructor(line: number, reason: string) {
    super(reason)
    this.line = line
  }
}

const tooLong = `The line is longer than ${LINE_BYTES} bytes.`

/** Reason for text in another encoding, such as that of older spreadsheets. */
const NOT_UTF8 = 'The text is not UTF-8. Save the list in UTF-8.'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of a line, without a byte order mark and with CR, if it has one. Throws LineError for text that is not UTF-8. */
export function lineText({ bytes, number }: Line): string {
  try {
    const text = decoder.decode(bytes)
    return number === 1 && text.startsWith('\u{feff}') ? text.slice(1) : text
  } catch {
    throw new LineError(number, NOT_UTF8)
  }
}
