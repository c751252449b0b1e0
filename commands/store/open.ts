/** Opens the store for a command: directly when the service is stopped, otherwise through the service's store interface. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readLayout } from '../../core/configuration/shards.ts'
import { embedderLabel } from '../../core/embedding/label.ts'
import { chosenPack } from '../../core/operations/upkeep/chosen-pack.ts'
import { VectorFileLocked } from '../../core/vector-store/folder-lock.ts'
import { recordedGeneration } from '../../core/vector-store/generation.ts'
import { openVectorStore } from '../../core/vector-store/open.ts'
import type { VectorStore } from '../../core/vector-store/vector-store.ts'
import { readReady } from '../processes/ready-file.ts'
import type { StoreOptions } from './options.ts'
import { type InspectedStore, runningStore } from './running-store.ts'

/** Runs `work` with the store and returns its result. */
export async function withStore<Result>(
  options: StoreOptions,
  work: (store: InspectedStore) => Promise<Result>,
): Promise<Result> {
  const store = await openHere(options)
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
async function openHere(options: StoreOptions): Promise<VectorStore | undefined> {
  const folder = join(options.data, 'vectors')
  if (!existsSync(folder)) throw new Error(`There is no store in ${options.data}.`)
  const settings = {
    ...options,
    shards: await readLayout(options.shardsFile),
    onDamage: (what: string) => console.error(`Damaged: ${what}`),
  }
  return openVectorStore(folder, settings).catch(error => {
    if (error instanceof VectorFileLocked) return undefined
    throw error
  })
}

async function openRunning({ data, operatorToken }: StoreOptions): Promise<InspectedStore> {
  const ready = await readReady(data)
  if (!ready) throw new Error(`Another process has the store of ${data} open. Try again once it has ended.`)
  return runningStore(ready.core, operatorToken)
}

/** The label that is stored with the vectors; without one, that of the chosen pack. */
export const embedderIn = async (data: string): Promise<string> =>
  (await recordedGeneration(join(data, 'vectors')))?.embedder ?? embedderLabel(await chosenPack(data))
