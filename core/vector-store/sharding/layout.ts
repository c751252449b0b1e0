/** The layout: which shard serves which cells, as an operator gives it and as the data folder remembers it. */
import { join } from 'node:path'
import * as z from 'zod'
import { readRecord, writeRecord } from '../../files/record.ts'
import { isPostgres, placeOf, postgresAddress, withoutPassword } from '../postgres/address.ts'
import { CELLS, cellsOf, rangesOf } from './cells.ts'

/** A layout that can't be obeyed; its message tells the operator why, and what to do. */
export class LayoutRefused extends Error {
  override readonly name = 'LayoutRefused'
}

/** The address of a shard in a thread of this process. */
export const LOCAL = 'local'

/** A shard: `local`, the origin of another core, or a database; and its cells, as in `0-511`. */
const GivenPlaceSchema = z.strictObject({
  address: z.string().transform((address, context) => {
    if (address === LOCAL || postgresAddress(address)) return address
    const url = URL.canParse(address) ? new URL(address) : undefined
    // Anything behind the origin, or a name and a password before it, would make this fail.
    if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin
    context.addIssue(`must be "${LOCAL}" or like "http://host:port" or "postgres://user@host:port/database"`)
    return z.NEVER
  }),
  cells: z.string().transform((ranges, context) => {
    const cells = cellsOf(ranges)
    if (cells) return rangesOf(cells)
    context.addIssue(`must be of 0 to ${CELLS - 1}, written like "0-511,700"`)
    return z.NEVER
  }),
})

export interface Place {
  /** Without a password: it may be shown. */
  address: string
  cells: string
  /** Of a database, where the operator gave it here. It is not recorded. */
  password?: string
}

const PlaceSchema = GivenPlaceSchema.transform(({ address, cells }): Place => {
  const password = postgresAddress(address)?.password
  if (password === undefined) return { address, cells }
  return { address: withoutPassword(address), cells, password }
})

/** By rising first cell: a shard's number is its place in the list. */
export type Layout = readonly Place[]

const LayoutSchema = z
  .array(PlaceSchema)
  .min(1)
  .superRefine((places, context) => {
    const counts = new Uint16Array(CELLS)
    for (const cell of places.flatMap(({ cells }) => cellsOf(cells) ?? [])) counts[cell]!++
    const wrong = counts.findIndex(count => count !== 1)
    if (wrong !== -1)
      context.addIssue(`cell ${wrong} has ${counts[wrong]} shards; each cell needs exactly one`)
    const remote = places.flatMap(place => (place.address === LOCAL ? [] : keptAt(place)))
    if (new Set(remote).size < remote.length)
      context.addIssue('an address comes twice; give all its cells at once')
  })
  // The order of the list means nothing; this one gives each place its number for good.
  .transform(places => places.toSorted((a, b) => firstCell(a) - firstCell(b)))

/** Where its vectors are, whoever connects to it, and however. */
const keptAt = ({ address }: Place): string => (isPostgres(address) ? placeOf(address) : address)

const firstCell = ({ cells }: Place): number => Number.parseInt(cells, 10)

const RecordSchema = z.strictObject({ version: z.literal(1), shards: LayoutSchema })

/** What an operator's list of shards says. `source` names it in the message of a LayoutRefused. */
export function parseLayout(text: string, source: string): Layout {
  const parsed = LayoutSchema.safeParse(jsonOf(text))
  if (parsed.success) return parsed.data
  const complaints = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')} ${message}`,
  )
  throw new LayoutRefused(`${source} is no list of shards: ${complaints.join('; ')}.`)
}

const everyCell = Array.from({ length: CELLS }, (_, cell) => cell)

/** So many threads of this process, each with as many cells as the others. */
export const localLayout = (shards: number): Layout =>
  Array.from({ length: shards }, (_, i) => {
    const first = (shard: number) => Math.floor((shard * CELLS) / shards)
    return { address: LOCAL, cells: rangesOf(everyCell.slice(first(i), first(i + 1))) }
  })

/** The file that remembers the layout, in every store that was ever opened. */
export const LAYOUT = 'layout.json'

/** The layout that the store in this folder was made with; undefined in a new one. Throws LayoutRefused when damaged. */
export async function recordedLayout(folder: string): Promise<Layout | undefined> {
  return (await readRecord(join(folder, LAYOUT), RecordSchema, LayoutRefused))?.shards
}

/** Remembers the layout; on the disk when it resolves, and never half there. */
export async function recordLayout(folder: string, shards: Layout): Promise<void> {
  const places = shards.map(({ address, cells }) => ({ address, cells }))
  await writeRecord(join(folder, LAYOUT), { version: 1, shards: places })
}

/** Whether the same cells are at the same places. */
export const sameLayout = (a: Layout, b: Layout): boolean => placesOf(a) === placesOf(b)

const placesOf = (layout: Layout): string => JSON.stringify(layout.map(place => [keptAt(place), place.cells]))

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
