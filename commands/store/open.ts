/** Options of the commands of `mien store`, and the store that they open: the files, or the store of the running service. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Configuration, readLayout } from '../../core/configuration/environment.ts'
import { embedderLabel, REMOVED_EMBEDDERS } from '../../core/embedding/label.ts'
import type { DataKey } from '../../core/encryption/encrypt.ts'
import { adviceFor } from '../../core/stores.ts'
import { VectorFileLocked } from '../../core/vector-store/folder-lock.ts'
import { GenerationMismatch, recordedGeneration } from '../../core/vector-store/generation.ts'
import { openVectorStore, type StoreSettings } from '../../core/vector-store/open.ts'
import type { VectorStore } from '../../core/vector-store/vector-store.ts'
import { chosenPack } from '../../models/packs.ts'
import type { JsonOptions } from '../terminal/command-line.ts'
import { readReady } from '../terminal/ready-file.ts'
import { type InspectedStore, runningStore } from './running-store.ts'

/** Options as they were typed. Each command takes some of them. */
export interface StoreGiven extends JsonOptions {
  gallery?: string
  /** Makes the changes; without it, they are only counted. */
  yes?: boolean
  /** Deletes records of lost data that cannot be rebuilt. */
  acceptLoss?: boolean
  /** Audit log whose deletions are replayed in a restored folder, or `none`. */
  deletions?: string
  /** Time of the backup to restore from a repository. */
  at?: string
  /** Whether a restored folder is not encrypted, as its backup is. */
  decrypt?: boolean
  /** Place to which a part moves. */
  to?: string
}

export interface StoreOptions extends Configuration, Omit<StoreGiven, 'data'> {
  yes: boolean
  acceptLoss: boolean
  /** Key of the data folder, when it is encrypted. */
  dataKey: DataKey | undefined
  /** Required embedder of the opened vectors; absent when it does not matter. */
  embedder?: string
  /** Argument of the command: a gallery, a folder or a file; empty when it takes none. */
  subject: string
}

/** Runs the command and returns the exit code: 0 on success. */
export type StoreCommand = (options: StoreOptions) => Promise<number>

/** Runs `work`, which changes no vectors, with the store and returns its result. */
export async function withStore<Result>(
  options: StoreOptions,
  work: (store: InspectedStore) => Promise<Result>,
): Promise<Result> {
  const store = await openHere(options, { keepNext: true })
  return store ? closing(store, work) : work(await openRunning(options))
}

/** Runs `work` with the store of a stopped service. Throws an Error while the service runs. */
export async function withStoppedStore<Result>(
  options: StoreOptions,
  work: (store: VectorStore) => Promise<Result>,
): Promise<Result> {
  const store = await openHere(options)
  if (!store) throw new Error('The service has to be stopped first.')
  return closing(store, work)
}

async function closing<Result>(
  store: VectorStore,
  work: (store: VectorStore) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Opens the store in this process; undefined when the service has locked the folder. */
async function openHere(
  options: StoreOptions,
  { keepNext }: Pick<StoreSettings, 'keepNext'> = {},
): Promise<VectorStore | undefined> {
  const folder = join(options.data, 'vectors')
  if (!existsSync(folder)) throw new Error(`There is no store in ${options.data}.`)
  const settings = {
    ...options,
    keepNext,
    shards: await readLayout(options.shardsFile),
    onDamage: (what: string) => console.error(`Damaged: ${what}`),
  }
  return openVectorStore(folder, settings).catch(error => {
    if (error instanceof VectorFileLocked) return undefined
    throw error instanceof GenerationMismatch ? new Error(adviceFor(error), { cause: error }) : error
  })
}

async function openRunning({ data, operatorToken }: StoreOptions): Promise<InspectedStore> {
  const ready = await readReady(data)
  if (!ready) throw new Error(`Another process has the store of ${data} open. Try again once it has ended.`)
  return runningStore(ready.core, operatorToken)
}

/** The label of the stored vectors if their embedder was removed. */
export async function removedEmbedderIn(data: string): Promise<string | undefined> {
  const recorded = await recordedGeneration(join(data, 'vectors'))
  return REMOVED_EMBEDDERS.find(label => label === recorded?.embedder)
}

/** The label that is stored with the vectors; without one, the label of the chosen pack. */
export const embedderIn = async (data: string): Promise<string> =>
  (await recordedGeneration(join(data, 'vectors')))?.embedder ?? embedderLabel(await chosenPack(data))
