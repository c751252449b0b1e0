/** Reads the lines of a file that end with a line feed, in constant memory. */
import { createReadStream } from 'node:fs'
import { ignoreCode } from '../../files/inspect.ts'

export interface FileLine {
  text: string
  /** Counts from 1. */
  number: number
  /** Offset of the byte after its line feed. */
  end: number
}

/** Bytes, more than any valid line has: a vector of 4,096 values takes 22 KB. */
const LONGEST = 65_536

/** Yields nothing when the file does not exist. Leaves out a last line without line feed; throws for an overlong one. */
export async function* wholeLines(path: string): AsyncIterable<FileLine> {
  let rest = Buffer.alloc(0)
  let number = 0
  let end = 0
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
      const bytes = Buffer.concat([rest, chunk as Buffer])
      let start = 0
      for (let stop = bytes.indexOf(10, start); stop >= 0; stop = bytes.indexOf(10, start)) {
        end += stop + 1 - start
        yield { text: bytes.toString('utf8', start, stop), number: ++number, end }
        start = stop + 1
      }
      rest = bytes.subarray(start)
      if (rest.length > LONGEST) throw new Error(`Line ${number + 1} of ${path} is too long.`)
    }
  } catch (error) {
    ignoreCode('ENOENT')(error)
  }
}
