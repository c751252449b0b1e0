/** Layout of the shards: 1,024 cells of the id space, and which shard serves which of them. */
import { join } from 'node:path'
import * as z from 'zod'
import { readRecord, writeRecord } from '../../files/record.ts'
import { isPostgres, isSameStorage, postgresAddress, withoutPassword } from '../postgres/address.ts'
import { LayoutRefused } from '../vector-store.ts'

/** Number of cells. Part of the format of every data folder. */
export const CELLS = 1_024

/**
 * Cell of an id, 0..1023: the mixed bits of its two 32-bit halves. Part of the format of every data folder: after a
 * change, stored vectors would not be found.
 */
export const cellOf = (id: number): number => mixed((id >>> 0) ^ mixed(Math.floor(id / 2 ** 32))) % CELLS

/** Finalizer of MurmurHash3 (Appleby, 2011; public domain): each of the 32 input bits affects each output bit. */
function mixed(bits: number) {
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

/** Address of a shard in a thread of this process. */
export const LOCAL = 'local'

/** Whether a shard is in another core. Shards in other cores ended with version 0.2. */
const isRemote = (address: string) => /^https?:/.test(address)

/** A shard: its address (`local` or a database) and its cells, like `0-511`. */
const GivenPlaceSchema = z.strictObject({
  address: z.string().transform((address, context) => {
    if (address === LOCAL || isRemote(address) || postgresAddress(address)) return address
    context.addIssue(
      `must be "${LOCAL}" or like "postgres://user@host:port/database" or, for a primary with standbys, ` +
        '"postgres://user@host1:port,host2:port/database?target_session_attrs=read-write"',
    )
    return z.NEVER
  }),
  cells: z.string().transform((ranges, context) => {
    const cells = cellsOf(ranges)
    if (cells) return rangesOf(cells)
    context.addIssue(`must be of 0 to ${CELLS - 1}, written like "0-511,700"`)
    return z.NEVER
  }),
})

/** A shard in the layout. */
export interface Place {
  /** Without a password: it may be logged and shown. */
  address: string
  /** Ranges of cells, like `0-511,700`. */
  cells: string
  /** Password of a database, if the operator's list contains one. It is not recorded. */
  password?: string
}

const PlaceSchema = GivenPlaceSchema.transform(({ address, cells }): Place => {
  const password = postgresAddress(address)?.password
  if (password === undefined) return { address, cells }
  return { address: withoutPassword(address), cells, password }
})

/** Sorted by first cell. A shard's number is its position in the list. */
export type Layout = readonly Place[]

export const LayoutSchema = z
  .array(PlaceSchema)
  .min(1)
  .superRefine((places, context) => {
    const counts = new Uint16Array(CELLS)
    for (const cell of places.flatMap(({ cells }) => cellsOf(cells) ?? [])) counts[cell]!++
    const wrong = counts.findIndex(count => count !== 1)
    if (wrong !== -1)
      context.addIssue(`cell ${wrong} has ${counts[wrong]} shards; each cell needs exactly one`)
    const databases = places.filter(({ address }) => isPostgres(address))
    if (databases.some((place, i) => databases.slice(0, i).some(earlier => isSamePlace(earlier, place))))
      context.addIssue('an address comes twice; give all its cells at once')
  })
  // The order of the operator's list has no meaning. This order gives each shard a permanent number.
  .transform(places => places.toSorted((a, b) => firstCell(a) - firstCell(b)))

/** Whether two shards have the same storage. Addresses of the same database may have different connection options. */
const isSamePlace = ({ address: a }: Place, { address: b }: Place) =>
  isPostgres(a) && isPostgres(b) ? isSameStorage(a, b) : a === b

const firstCell = ({ cells }: Place) => Number.parseInt(cells, 10)

const RecordSchema = z.strictObject({ version: z.literal(1), shards: LayoutSchema })

/** Parses an operator's list of shards. `source` names the list in the message of a LayoutRefused. */
export function parseLayout(text: string, source: string): Layout {
  const parsed = LayoutSchema.safeParse(jsonOf(text))
  if (parsed.success) return withoutRemote(parsed.data, source)
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')} ${message}`,
  )
  throw new LayoutRefused(`${source} is no list of shards: ${problems.join('; ')}.`)
}

function withoutRemote(layout: Layout, source: string): Layout {
  const remote = layout.find(({ address }) => isRemote(address))
  if (!remote) return layout
  throw new LayoutRefused(
    `${source} names the shard ${remote.address}. Shards in other cores ended with version 0.2: move the vectors to PostgreSQL ` +
      'with that version. See docs/scaling.md, "Shards in other cores".',
  )
}

const everyCell = Array.from({ length: CELLS }, (_, cell) => cell)

/** Layout of `shards` threads of this process with equal shares of the cells. */
export const localLayout = (shards: number): Layout =>
  Array.from({ length: shards }, (_, i) => {
    const first = (shard: number) => Math.floor((shard * CELLS) / shards)
    return { address: LOCAL, cells: rangesOf(everyCell.slice(first(i), first(i + 1))) }
  })

/** File that records the layout, in the folder of every store that was opened. */
const LAYOUT = 'layout.json'

/**
 * The recorded layout of the store in this folder; undefined in a new store. Throws LayoutRefused when the record is
 * damaged, or names a shard in another core.
 */
export async function recordedLayout(folder: string): Promise<Layout | undefined> {
  const path = join(folder, LAYOUT)
  const record = await readRecord(path, RecordSchema, LayoutRefused)
  return record && withoutRemote(record.shards, path)
}

/** Records the layout without passwords. Atomic, and durable when it resolves. */
export async function recordLayout(folder: string, shards: Layout): Promise<void> {
  await writeRecord(join(folder, LAYOUT), { version: 1, shards: withoutPasswords(shards) })
}

/** The layout as it may be recorded. */
export const withoutPasswords = (shards: Layout): Layout =>
  shards.map(({ address, cells }) => ({ address, cells }))

/** Whether both layouts name the same database. */
export const sharesStorage = (a: Layout, b: Layout): boolean =>
  a.some(place => place.address !== LOCAL && b.some(other => isSamePlace(place, other)))

/** Whether the same cells are in the same storage. */
export const sameLayout = (a: Layout, b: Layout): boolean =>
  a.length === b.length && a.every((place, i) => place.cells === b[i]!.cells && isSamePlace(place, b[i]!))

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
