/** Generations: all vectors of a store that one embedder made, and the folders of shards that they lie in. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { syncFolder } from '../files/durable.ts'
import { readRecord, writeRecord } from '../files/record.ts'
import { LayoutRefused } from './sharding/layout.ts'

const GenerationSchema = z.strictObject({
  /** Counts up; 0 is a store's first. */
  number: z.int().min(0),
  /** What made the vectors (embedding/label.ts). */
  embedder: z.string().min(1),
})
export type Generation = z.infer<typeof GenerationSchema>

/** Which generation is served: the file that decides it. */
export const GENERATION = 'generation.json'

/** Which one is being made beside it. */
const NEXT = 'next-generation.json'

/** The vectors in a store are of another embedder than the service's: they can't be compared with its own. */
export class OtherGeneration extends Error {
  override readonly name = 'OtherGeneration'
  /** What made those that are stored. */
  readonly stored: string

  constructor(stored: string, embedder: string) {
    super(`The stored vectors are of ${stored}, and this service makes those of ${embedder}.`)
    this.stored = stored
  }
}

/** The generation that this store serves; undefined in a new store, and in one of before generations were recorded. */
export const recordedGeneration = (folder: string): Promise<Generation | undefined> =>
  read(folder, GENERATION)

/** Makes a generation the one that is served: on the disk when it resolves, and never half there. */
export const recordGeneration = (folder: string, generation: Generation): Promise<void> =>
  write(folder, GENERATION, generation)

/** The number of the generation that is served. Throws LayoutRefused when that can't be known any more. */
export async function servedNumber(folder: string): Promise<number> {
  const recorded = await recordedGeneration(folder)
  if (recorded) return recorded.number
  const later = (await shardsIn(folder)).find(name => numberOf(name) > 0)
  if (later === undefined) return 0
  throw new LayoutRefused(`${folder} has lost its ${GENERATION}. Restore it from a backup.`)
}

/** The name of the folder of a shard. */
export const shardFolder = (shard: number, generation: number): string =>
  generation === 0 ? `shard-${shard}` : `shard-${shard}.${generation}`

/** The folders of shards that are served, also from beside the process that serves them. */
export async function servedShards(folder: string): Promise<string[]> {
  const served = await servedNumber(folder)
  return (await shardsIn(folder)).filter(name => numberOf(name) === served).sort()
}

/**
 * The generation that is to follow the served one; what was made of it goes on, when it is of this embedder. Throws
 * LayoutRefused where the served one is not recorded: beside another, it could not be told from it.
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

/** Removes what lies about of generations before the served one. Nobody may have it open. */
export async function removeEarlier(folder: string): Promise<void> {
  const served = await servedNumber(folder)
  await removeShards(folder, number => number < served)
  const begun = await read(folder, NEXT)
  if (begun && begun.number <= served) await rm(join(folder, NEXT), { force: true })
}

/** Gives up what was made of a next generation. */
export async function removeNext(folder: string): Promise<void> {
  const served = await servedNumber(folder)
  await removeShards(folder, number => number > served)
  await rm(join(folder, NEXT), { force: true })
}

const SHARD = /^shard-\d+(?:\.(\d+))?$/

/** The folders of all shards, of every generation. */
export const shardsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter(name => SHARD.test(name))

const numberOf = (name: string): number => Number(SHARD.exec(name)?.[1] ?? 0)

async function removeShards(folder: string, which: (number: number) => boolean): Promise<void> {
  const gone = (await shardsIn(folder)).filter(name => which(numberOf(name)))
  for (const name of gone) await rm(join(folder, name), { recursive: true, force: true })
  if (gone.length > 0) await syncFolder(folder)
}

const read = (folder: string, file: string): Promise<Generation | undefined> =>
  readRecord(join(folder, file), GenerationSchema, LayoutRefused)

const write = (folder: string, file: string, generation: Generation): Promise<void> =>
  writeRecord(join(folder, file), generation)
