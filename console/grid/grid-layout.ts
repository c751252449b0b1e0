/** Places of tiles in a grid of equal rows. */

/** Least width of a tile, its gap, and the height of the text below its square picture, in CSS pixels. */
export const TILE = { width: 132, gap: 12, text: 62 } as const

export interface GridLayout {
  columns: number
  /** Width and height of a tile, without the gap. */
  width: number
  height: number
}

/** The layout of a grid of this width. */
export function layoutOf(gridWidth: number): GridLayout {
  const columns = Math.max(2, Math.floor((gridWidth + TILE.gap) / (TILE.width + TILE.gap)))
  const width = (gridWidth - (columns - 1) * TILE.gap) / columns
  return { columns, width, height: width + TILE.text }
}

/** Height of a grid with so many tiles. */
export function gridHeight(count: number, { columns, height }: GridLayout): number {
  const rows = Math.ceil(count / columns)
  return rows === 0 ? 0 : rows * (height + TILE.gap) - TILE.gap
}

/** The first and the last place in a part of the grid, with one row more on each side. `top` and `bottom` are from the grid's top. */
export function placesIn(top: number, bottom: number, { columns, height }: GridLayout): [number, number] {
  const row = height + TILE.gap
  const first = Math.max(0, Math.floor(top / row) - 1)
  const last = Math.max(0, Math.floor(bottom / row) + 1)
  return [first * columns, (last + 1) * columns - 1]
}

/** Place of a tile, as a style. */
export function tileStyle(index: number, { columns, width, height }: GridLayout) {
  const left = (index % columns) * (width + TILE.gap)
  const top = Math.floor(index / columns) * (height + TILE.gap)
  return { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` }
}
