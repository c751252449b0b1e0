/** The lines of a file that end with a line feed, one after the other, in constant memory. */
import { createReadStream } from 'node:fs'
import { ignoreCode } from '../../files/expected-errors.ts'

export interface FileLine {
  text: string
  /** From 1 on. */
  number: number
  /** Offset of the byte after its line feed. */
  end: number
}

/** Longer than any line that is ever written: the vectors of 4,096 numbers take 22 KB. */
const LONGEST = 65_536

/** Nothing when there is no such file. A last line without its line feed is left out; throws for one without end. */
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
