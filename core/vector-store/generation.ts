/** Generations: all vectors that one embedder made, their records and their shard folders. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { Natural } from '../../contract/scalars.ts'
import { syncFolder } from '../files/durable.ts'
import { readRecord, writeRecord } from '../files/record.ts'
import { LayoutRefused } from './vector-store.ts'

export const GenerationSchema = z.strictObject({
  /** Counts up from 0, the first generation of a store. */
  number: Natural,
  /** Label of the embedder that made the vectors (embedding/label.ts). */
  embedder: z.string().min(1),
})
type Generation = z.infer<typeof GenerationSchema>

/** File in the store's folder that records the served generation. */
const GENERATION = 'generation.json'

/** File that records the generation in preparation. */
const NEXT = 'next-generation.json'

/** Thrown when another embedder made the stored vectors: they cannot be compared with the service's own. */
export class GenerationMismatch extends Error {
  override readonly name = 'GenerationMismatch'
  /** Label of the embedder of the stored vectors. */
  readonly stored: string

  constructor(stored: string, embedder: string) {
    super(`The stored vectors are of ${stored}, and this service makes vectors of ${embedder}.`)
    this.stored = stored
  }
}

/**
 * The generation that this store serves; undefined in a new store. Throws LayoutRefused when the record is damaged.
 */
export const recordedGeneration = (folder: string): Promise<Generation | undefined> =>
  read(folder, GENERATION)

/** Records the generation to serve. Atomic, and durable when it resolves. */
export const recordGeneration = (folder: string, generation: Generation): Promise<void> =>
  write(folder, GENERATION, generation)

/** Number of the served generation. Throws LayoutRefused when its record is lost and a later generation exists. */
export async function servedNumber(folder: string): Promise<number> {
  const recorded = await recordedGeneration(folder)
  if (recorded) return recorded.number
  const later = (await shardsIn(folder)).find(name => numberOf(name) > 0)
  if (later === undefined) return 0
  throw lostGeneration(folder)
}

/** The error for vectors without a record of the embedder that made them. */
export const lostGeneration = (folder: string): LayoutRefused =>
  new LayoutRefused(`${folder} has lost its ${GENERATION}. Restore it from a backup.`)

/** Folder name of a shard. */
export const shardFolder = (shard: number, generation: number): string =>
  generation === 0 ? `shard-${shard}` : `shard-${shard}.${generation}`

/** Sorted folder names of the shards of the served generation. Safe while another process serves the store. */
export async function servedShards(folder: string): Promise<string[]> {
  const served = await servedNumber(folder)
  return (await shardsIn(folder)).filter(name => numberOf(name) === served).sort()
}

/**
 * The generation after the served one. Keeps the shards of an earlier preparation for the same embedder, which resumes;
 * removes other shards. Throws LayoutRefused when the served generation is not recorded: the two
 * generations would be indistinguishable.
 */
export async function prepareNext(folder: string, embedder: string): Promise<Generation> {
  const served = await recordedGeneration(folder)
  if (!served)
    throw new LayoutRefused(`${folder} has no ${GENERATION}: it is not known what made its vectors.`)
  const next = { number: served.number + 1, embedder }
  const begun = await read(folder, NEXT)
  if (begun?.number === next.number && begun.embedder === embedder) return next
  await removeShards(folder, number => number >= next.number)
  await write(folder, NEXT, next)
  return next
}

/** Removes the shards of generations before the served one. No process may have them open. */
export async function removeEarlier(folder: string): Promise<void> {
  const served = await servedNumber(folder)
  await removeShards(folder, number => number < served)
  const begun = await read(folder, NEXT)
  if (begun && begun.number <= served) await rm(join(folder, NEXT), { force: true })
}

/** Abandons the generation in preparation: removes its shards and its record. */
export async function removeNext(folder: string): Promise<void> {
  const served = await servedNumber(folder)
  await removeShards(folder, number => number > served)
  await rm(join(folder, NEXT), { force: true })
}

const SHARD = /^shard-\d+(?:\.(\d+))?$/

/** Folder names of the shards of all generations. */
export const shardsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter(name => SHARD.test(name))

const numberOf = (name: string) => Number(SHARD.exec(name)?.[1] ?? 0)

async function removeShards(folder: string, which: (number: number) => boolean) {
  const removed = (await shardsIn(folder)).filter(name => which(numberOf(name)))
  for (const name of removed) await rm(join(folder, name), { recursive: true, force: true })
  if (removed.length > 0) await syncFolder(folder)
}

const read = (folder: string, file: string) => readRecord(join(folder, file), GenerationSchema, LayoutRefused)

const write = (folder: string, file: string, generation: Generation) =>
  writeRecord(join(folder, file), generation)
