/** Reads a text file line by line, with the byte offsets of the lines. */
import { openRegular } from '../terminal/bounded-file.ts'

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
  const lineOf = (bytes: Uint8Array, isEnded: boolean): Line => {
    number++
    if (bytes.length > LINE_BYTES) throw new LineError(number, `The line is longer than ${LINE_BYTES} bytes.`)
    end += bytes.length + (isEnded ? 1 : 0)
    return { number, bytes, end, isEnded }
  }
  const file = await openRegular(path)
  for await (const chunk of file.createReadStream() as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let at = rest.indexOf(LF); at >= 0; at = rest.indexOf(LF)) {
      yield lineOf(rest.subarray(0, at), true)
      rest = rest.subarray(at + 1)
    }
    if (rest.length > LINE_BYTES) lineOf(rest, false)
  }
  if (rest.length > 0) yield lineOf(rest, false)
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

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of a line, without a byte order mark and with CR, if it has one. Throws LineError for text that is not UTF-8. */
export function lineText({ bytes, number }: Line): string {
  try {
    const text = decoder.decode(bytes)
    return number === 1 && text.startsWith('\u{feff}') ? text.slice(1) : text
  } catch {
    // Older spreadsheets save in another encoding.
    throw new LineError(number, 'The text is not UTF-8. Save the list in UTF-8.')
  }
}
