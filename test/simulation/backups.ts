/** Backups of the data folder of a core alone while a history runs, and the restore of the newest one after it. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { environment, sleep } from '#contract/environment.ts'
import { backUpTo } from '#core/backup/repository/incremental-backup.ts'
import { KEEP_DEFAULT, keepRule } from '#core/backup/repository/prune.ts'
import { createRepository } from '#core/backup/repository/repository.ts'
import { restoreFrom } from '#core/backup/repository/restore.ts'
import { verifyAll } from '#core/backup/verify.ts'
import { withDatabase } from '#core/metadata/database.ts'
import { reconcile } from '#core/operations/consistency/reconcile.ts'
import { folderObjects } from '#core/pictures/folder.ts'
import { PICTURES_FOLDER } from '#core/pictures/open.ts'
import { picturesIn } from '#core/pictures/pictures.ts'
import { openStores } from '#core/stores.ts'
import { Violation } from './client.ts'
import type { Cluster } from './cluster.ts'
import { EMBEDDER, LAYOUT } from './core.ts'
import type { OwnerModel } from './model.ts'
import type { Scheduler } from './scheduler.ts'

/** More than a lock of a repository lasts after its process was killed (backup/repository/lock.ts), in milliseconds. */
const LOCK_MS = 125_000

export class Backups {
  readonly #scheduler: Scheduler
  readonly #folder: string
  /** When backups began: in steps, by the clock, which can be set back. One that was killed may be complete. */
  readonly #begun = new Map<string, number>()
  #isLocked = false

  constructor(scheduler: Scheduler, folder: string) {
    this.#scheduler = scheduler
    this.#folder = folder
    mkdirSync(folder)
  }

  /** Makes a backup in its own process. It pauses before each of its parts. A crash ends it, also a crash of the core. */
  async make(cluster: Cluster): Promise<void> {
    if (this.#isLocked) await sleep(LOCK_MS)
    const scheduler = this.#scheduler
    const { disk } = cluster
    const process = scheduler.newProcess('backup')
    const now = environment.now()
    this.#begun.set(new Date(now).toISOString(), scheduler.steps)
    const next = inParts(pause => this.#backUp(disk.data, now, pause))
    const work = scheduler.within(process, async () => {
      for (let isOver = false; !isOver; )
        isOver = await scheduler.step('backup', async () => cluster.disk !== disk || (await next()))
    })
    await Promise.race([work, process.death.promise])
    this.#isLocked = !process.isAlive || cluster.disk !== disk
    scheduler.kill(process)
  }

  async #backUp(data: string, now: number, onStep: () => Promise<void>): Promise<void> {
    const repository = await createRepository(join(this.#folder, 'repository'), undefined)
    const pictures = picturesIn(folderObjects(join(data, PICTURES_FOLDER)))
    const keep = keepRule(KEEP_DEFAULT)!
    await backUpTo({ data, repository, embedder: EMBEDDER, dataKey: undefined, pictures, keep, now, onStep })
  }

  /**
   * Restores the newest backup, and repeats the later deletions of the data folder. Throws Violation when a face of the data folder
   * from before the backup is missing, when a deleted face is there, or when data are not intact. It runs in real time.
   */
  async expectRestored(live: string, owners: readonly OwnerModel[]): Promise<void> {
    const repository = await createRepository(join(this.#folder, 'repository'), undefined)
    const newest = (await repository.inventory()).backups.at(-1)
    if (newest === undefined) return
    const since = this.#begun.get(newest)!
    const data = join(this.#folder, 'restored')
    const deletions = { path: live, dataKey: undefined }
    const at = Date.parse(newest)
    await restoreFrom({ repository, data, at, operatorKey: undefined, deletions })
    const stores = await openStores(data, { shards: LAYOUT, embedder: EMBEDDER })
    try {
      await reconcile(stores)
      const faults = await verifyAll(data, stores)
      if (faults.length > 0) throw new Violation(`the restored backup: ${faults.join(' ')}`)
    } finally {
      await stores.close()
    }
    const [left, restored] = [await idsIn(live), await idsIn(data)]
    for (const owner of owners) {
      for (const id of owner.gone)
        if (restored.has(id)) throw new Violation(`the deleted face ${id} returns by the backup`)
      for (const { id, request } of owner.certain())
        if (left.has(id) && request.end < since && !restored.has(id))
          throw new Violation(`face ${id} (${request.photo}) from before the backup is not in it`)
    }
  }
}

const idsIn = (data: string) =>
  withDatabase(data, {}, async database => {
    const { rows } = await database.run('SELECT id FROM faces')
    return new Set(rows.map(({ id }) => Number(id)))
  })

/**
 * Runs work part by part. The returned function runs the next part, to the next call of `pause`, and resolves with whether the
 * work has ended.
 */
function inParts(work: (pause: () => Promise<void>) => Promise<void>): () => Promise<boolean> {
  let part = Promise.withResolvers<boolean>()
  let resume: (() => void) | undefined
  const pause = () => {
    const paused = Promise.withResolvers<void>()
    resume = paused.resolve
    part.resolve(false)
    return paused.promise
  }
  return () => {
    part = Promise.withResolvers()
    if (resume) resume()
    else
      work(pause).then(
        () => part.resolve(true),
        error => part.reject(error),
      )
    return part.promise
  }
}
