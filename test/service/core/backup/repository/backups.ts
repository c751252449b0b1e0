/** A service with three faces and a repository for its backups. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { drill } from '#core/backup/repository/drill.ts'
import { type BackUpToSettings, backUpTo } from '#core/backup/repository/incremental-backup.ts'
import { type KeepRule, keepRule } from '#core/backup/repository/prune.ts'
import type { Repository } from '#core/backup/repository/repository.ts'
import { type RestoreFromSettings, restoreFrom } from '#core/backup/repository/restore.ts'
import type { DataKey } from '#core/encryption/encrypt.ts'
import { findDataKey } from '#core/encryption/folder-key.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { faceOf, OTHER_OWNER } from '#test/support/sample-faces.ts'
import { temporaryPath } from '#test/unit/core/folder.ts'
import { createGallery, enrolOne, openWorld, type World } from '../../operations/world.ts'
import { runKilled } from '../../snapshots.ts'

export const EMBEDDER = 'colours-3'

export const KEEP: KeepRule = keepRule('24h,7d,4w')!

/** Two faces of one owner, one of them in a named gallery, and one of another owner. */
export async function openFilled(data?: string, dataKey?: DataKey) {
  const world = await openWorld(data, dataKey)
  await createGallery(world, 'staff')
  await createGallery(world, 'guests')
  const red = await enrolOne(world, faceOf(250, 10, 10), { galleries: ['staff'], meta: 'meta of Jane' })
  const green = await enrolOne(world, faceOf(10, 250, 10))
  const blue = await enrolOne(world, faceOf(10, 10, 250), { owner: OTHER_OWNER })
  return { world, red, green, blue }
}

export const backedUp = (world: World, repository: Repository, more: Partial<BackUpToSettings> = {}) =>
  backUpTo({
    data: world.data,
    repository,
    embedder: EMBEDDER,
    dataKey: undefined,
    pictures: world.pictures,
    keep: KEEP,
    now: Date.now(),
    ...more,
  })

/** Restores into a new folder, and opens it as the first start does. */
export async function reopen(
  repository: Repository,
  more: Partial<RestoreFromSettings> = {},
): Promise<World> {
  const data = await temporaryPath('data')
  await restoreFrom({ repository, data, operatorKey: undefined, ...more })
  const world = await openWorld(data, await findDataKey(data, more.operatorKey))
  await reconcile(world)
  return world
}

export const runDrill = async (
  world: World,
  repository: Repository,
  more: Partial<Parameters<typeof drill>[0]> = {},
) =>
  drill({
    repository,
    data: world.data,
    dataKey: undefined,
    pictures: world.pictures,
    operatorKey: undefined,
    folder: await temporaryPath('drill'),
    ...more,
  })

/** Runs work of killed.child.ts, which kills itself at a step. */
export const killedIn = (...args: string[]): Promise<void> =>
  runKilled(join(import.meta.dirname, '..', 'killed.child.ts'), ...args)

/** Paths of the pieces of a repository in a folder. */
export async function piecesIn(folder: string): Promise<string[]> {
  const found = await readdir(join(folder, 'pieces'), { recursive: true, withFileTypes: true })
  return found.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}
