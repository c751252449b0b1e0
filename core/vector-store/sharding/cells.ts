/** Cells: the 1,024 parts into which ids fall, whatever their gallery. A shard serves some of them. */

export const CELLS = 1_024

/**
 * The cell of an id, 0..1023: the lowest bits of its two halves, mixed. Part of the format of every data folder: a
 * change of it would lose what is stored.
 */
export const cellOf = (id: number): number => mixed((id >>> 0) ^ mixed(Math.floor(id / 2 ** 32))) % CELLS

/** The finalizer of MurmurHash3 (Appleby, 2011; public domain): each bit of 32 reaches each other. */
function mixed(bits: number): number {
  let hash = bits ^ (bits >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The cells of a text like `0-99,512`, rising; undefined when it is none, or names a cell twice or one too high. */
export function cellsOf(ranges: string): number[] | undefined {
  const cells: number[] = []
  for (const range of ranges.split(',')) {
    const [, from = '', to = from] = /^\s*(\d{1,4})(?:\s*-\s*(\d{1,4}))?\s*$/.exec(range) ?? []
    if (from === '' || Number(to) < Number(from) || Number(to) >= CELLS) return undefined
    for (let cell = Number(from); cell <= Number(to); cell++) cells.push(cell)
  }
  return new Set(cells).size === cells.length ? cells.sort((a, b) => a - b) : undefined
}

/** The shortest text for these rising cells. */
export function rangesOf(cells: readonly number[]): string {
  const ranges: { from: number; to: number }[] = []
  for (const cell of cells) {
    const last = ranges.at(-1)
    if (last && cell === last.to + 1) last.to = cell
    else ranges.push({ from: cell, to: cell })
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}
