/** The record of a move to other shards, in the store's folder while the move is not finished. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { syncFolder } from '../files/durable.ts'
import { readRecord, writeRecord } from '../files/record.ts'
import { GenerationSchema, recordGeneration } from './generation.ts'
import { type Layout, LayoutSchema, recordLayout, withoutPasswords } from './sharding/layout.ts'
import { LayoutRefused } from './vector-store.ts'

const MOVE = 'move.json'

const MoveSchema = z.strictObject({
  version: z.literal(1),
  /** Where the vectors go. */
  shards: LayoutSchema,
  /** The generation of the moved vectors. */
  generation: GenerationSchema,
  /** Whether every vector was copied and verified. From then on the store is served from the new shards. */
  verified: z.boolean(),
})
interface PendingMove extends Omit<z.infer<typeof MoveSchema>, 'version' | 'shards'> {
  shards: Layout
}

/** The move of this store that is not finished; undefined without one. Throws LayoutRefused when the record is damaged. */
export const readMove = (folder: string): Promise<PendingMove | undefined> =>
  readRecord(join(folder, MOVE), MoveSchema, LayoutRefused)

/** Records the move, without passwords. Atomic, and durable when it resolves. */
export const recordMove = (folder: string, { shards, ...move }: PendingMove): Promise<void> =>
  writeRecord(join(folder, MOVE), { version: 1, shards: withoutPasswords(shards), ...move })

/** Switches to the new shards when a move is verified. The caller holds the folder's lock. A crash is made up for by the next call. */
export async function finishMove(folder: string): Promise<void> {
  const move = await readMove(folder)
  if (!move?.verified) return
  await recordLayout(folder, move.shards)
  await recordGeneration(folder, move.generation)
  await rm(join(folder, MOVE))
  await syncFolder(folder)
}
