/** Cells: 1,024 parts of the id space, the same for all galleries; each shard serves some of them. */

/** Number of cells. Part of the format of every data folder. */
export const CELLS = 1_024

/**
 * Cell of an id, 0..1023: the mixed bits of its two 32-bit halves. Part of the format of every data folder: after a
 * change, stored vectors would not be found.
 */
export const cellOf = (id: number): number => mixed((id >>> 0) ^ mixed(Math.floor(id / 2 ** 32))) % CELLS

/** Finalizer of MurmurHash3 (Appleby, 2011; public domain): each of the 32 input bits affects each output bit. */
function mixed(bits: number): number {
  let hash = bits ^ (bits >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/**
 * Parses ranges like `0-99,512` into rising cells. Undefined when the text is malformed, repeats a cell, or exceeds
 * 1023.
 */
export function cellsOf(ranges: string): number[] | undefined {
  const cells: number[] = []
  for (const range of ranges.split(',')) {
    const [, from = '', to = from] = /^\s*(\d{1,4})(?:\s*-\s*(\d{1,4}))?\s*$/.exec(range) ?? []
    if (from === '' || Number(to) < Number(from) || Number(to) >= CELLS) return undefined
    for (let cell = Number(from); cell <= Number(to); cell++) cells.push(cell)
  }
  return new Set(cells).size === cells.length ? cells.sort((a, b) => a - b) : undefined
}

/** Shortest ranges for rising cells, like `0-99,512`. */
export function rangesOf(cells: readonly number[]): string {
  const ranges: { from: number; to: number }[] = []
  for (const cell of cells) {
    const last = ranges.at(-1)
    if (last && cell === last.to + 1) last.to = cell
    else ranges.push({ from: cell, to: cell })
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}
