/** Labelled pairs of pictures: lists in the format of LFW and tables; and their comparison by a running service. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Pair {
  /** Paths of the pictures. */
  readonly first: string
  readonly second: string
  readonly same: boolean
}

const YES = new Set(['1', 'yes', 'true'])
const NO = new Set(['0', 'no', 'false'])

/**
 * The pairs in a file, for pictures in the folder `images`. Two formats: LFW's `name i j` (one person) or `name i
 * other j` (two people) after a heading with the count; or `a,b,same` with file names and one of the words above for
 * yes or no, with or without a heading. Throws at a line of neither format.
 */
export async function readPairs(file: string, images: string): Promise<Pair[]> {
  const lines = (await readFile(file, 'utf8')).trim().split(/\r?\n/)
  const isTable = lines.at(-1)?.includes(',')
  const pairs = lines.map(line => (isTable ? rowPair(line, images) : lfwPair(line, images)))
  const wrong = pairs.findIndex((pair, i) => !pair && i > 0)
  if (wrong > 0) throw new Error(`${file}, line ${wrong + 1}: this is no pair`)
  return pairs.filter(pair => pair !== undefined)
}

function rowPair(line: string, images: string): Pair | undefined {
  const [first, second, word, ...more] = line.split(',').map(cell => cell.trim())
  const same = YES.has(word?.toLowerCase() ?? '')
  if (!first || !second || more.length > 0 || !(same || NO.has(word?.toLowerCase() ?? ''))) return undefined
  return { first: join(images, first), second: join(images, second), same }
}

function lfwPair(line: string, images: string): Pair | undefined {
  const words = line.trim().split(/\s+/)
  const same = words.length === 3
  if (!same && words.length !== 4) return undefined
  const [name, i, other, j] = same ? [words[0], words[1], words[0], words[2]] : words
  const picture = (person = '', number = '') =>
    join(images, person, `${person}_${number.padStart(4, '0')}.jpg`)
  return { first: picture(name, i), second: picture(other, j), same }
}

/** At most `limit` pairs of each kind; pairs of one person first. */
export const someOfEach = (pairs: readonly Pair[], limit: number): Pair[] => [
  ...pairs.filter(({ same }) => same).slice(0, limit),
  ...pairs.filter(({ same }) => !same).slice(0, limit),
]
