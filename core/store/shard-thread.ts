/** A shard in a worker thread of its own, which is asked by messages. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openExactStore } from './exact.ts'
import type { ShardSettings } from './shard-settings.ts'
import type { VectorStore } from './store.ts'

/**
 * Opens the shard in this folder, or makes it, and resolves when it can be searched. Whoever opens it holds the lock of
 * the folder around it (folder-lock.ts).
 */
export async function openShardThread(folder: string, _settings: ShardSettings = {}): Promise<VectorStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return openExactStore(join(folder, 'exact.db'))
}
