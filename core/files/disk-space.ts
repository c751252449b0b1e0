/** Monitors free disk space: rejects writes before the disk is full, and keeps a reserve for deletions. */
import { randomBytes } from 'node:crypto'
import type { StatsFs } from 'node:fs'
import { open, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { environment } from '../../contract/environment.ts'
import { STORE_LIMITS } from '../../contract/limits/store.ts'
import { ignoreCode } from './inspect.ts'

/** Too little disk space to start a write. Nothing was written. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull'
  readonly code = 'ENOSPC'
}

/**
 * Codes of a full disk, a quota or a file size limit. SQLite also reports failed writes as I/O errors; its I/O errors of reads
 * mean damage and are excluded. 53100 is `disk_full` of PostgreSQL.
 */
const DISK_FULL_CODES =
  /^(ENOSPC|EDQUOT|EFBIG|53100|SQLITE_FULL|SQLITE_IOERR(?!_(READ|SHORT_READ|CORRUPTFS|DATA))(_\w+)?)$/

/** Whether a full disk caused this error, directly or by its cause. Errors of the store have `why: 'full'`. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('why' in error && error.why === 'full') return true
  return ('code' in error && DISK_FULL_CODES.test(String(error.code))) || isDiskFull(error.cause)
}

/** File in the data folder that occupies the reserve. It is removed to give deletions space on a full disk. */
export const RESERVE_FILE = 'reserve'

/** Bytes of one write. */
const BYTES_PER_WRITE = 2 ** 20

/** Called when additions start to be rejected, and when they are accepted again. `free` and `needed` are bytes. */
export type OnDiskSpace = (
  event: 'disk full' | 'disk space available',
  facts: { free: number; needed: number },
) => void

/** Guards writes by the free disk space. */
export interface DiskSpace {
  /** Runs a task that adds or changes data. Rejects with DiskFull, without starting it, while free space is too low. */
  adding<Result>(work: () => Promise<Result>): Promise<Result>
  /** Runs a deletion, or a write that belongs to one, also on a full disk. It may use the reserve. */
  deleting<Result>(work: () => Promise<Result>): Promise<Result>
  /** Whether additions are rejected, or the last one failed because of a full disk. */
  isFull(): Promise<boolean>
  /** Free bytes of the fullest disk, for programs without privileges. */
  free(): Promise<number>
  close(): Promise<void>
}

/** Settings of the disk space monitor. */
interface DiskSpaceSettings {
  /** Further folders of the service, possibly on other disks. */
  folders?: readonly string[]
  news?: OnDiskSpace
}

/** Free bytes below which additions are rejected, and bytes of the reserve, for a disk of this size. */
function leastSpace({ blocks, bsize }: StatsFs): { least: number; reserve: number } {
  const share = Math.floor((blocks * bsize) / STORE_LIMITS.diskShares)
  return {
    least: Math.min(STORE_LIMITS.diskLeastBytes, share),
    reserve: Math.min(STORE_LIMITS.diskReserveBytes, share),
  }
}

/** Free bytes of the disk of an existing folder, and the bytes that additions need. Changes nothing. */
export async function diskSpaceOf(folder: string): Promise<{ free: number; needed: number }> {
  const disk = await statfs(folder)
  return { free: disk.bavail * disk.bsize, needed: leastSpace(disk).least }
}

/**
 * Starts to monitor the disk of an existing data folder. Removes the reserve of an earlier process if the disk is full,
 * because a start also writes.
 */
export async function openDiskSpace(
  data: string,
  { folders = [], news = () => {} }: DiskSpaceSettings = {},
): Promise<DiskSpace> {
  const path = join(data, RESERVE_FILE)
  const { least, reserve } = leastSpace(await statfs(data))
  let isHeld = (await stat(path).catch(ignoreCode('ENOENT')))?.size === reserve
  let isFailing = false
  let wasFull = false
  let filling: Promise<void> | undefined
  let isClosed = false

  const free = async () => {
    const found = await Promise.all(
      [data, ...folders].map(folder => statfs(folder).catch(ignoreCode('ENOENT'))),
    )
    return Math.min(...found.flatMap(disk => (disk ? [disk.bavail * disk.bsize] : [])))
  }

  /** Free bytes needed for additions. Includes the reserve while its file is missing. */
  const needed = () => least + (isHeld ? 0 : reserve)

  async function isScarce() {
    const left = await free()
    const isFull = left < needed()
    if (isFull !== wasFull)
      news(isFull ? 'disk full' : 'disk space available', { free: left, needed: needed() })
    wasFull = isFull
    if (!isHeld && !isFull) filling ??= fill().finally(() => (filling = undefined))
    return isFull
  }

  async function fill() {
    try {
      const file = await open(path, 'w', 0o600)
      try {
        // Random bytes: a file system may store zeros or compressible data without using space.
        const bytes = randomBytes(Math.min(reserve, BYTES_PER_WRITE))
        for (let at = 0; at < reserve && !isClosed; at += bytes.length)
          await file.writeFile(bytes.subarray(0, reserve - at))
      } finally {
        await file.close()
      }
      isHeld = !isClosed
    } catch {
      // The next check tries again.
    }
    if (!isHeld) await rm(path, { force: true })
  }

  async function removeReserve() {
    await filling
    isHeld = false
    await rm(path, { force: true })
  }

  const removeReserveIfScarce = async () => {
    if (isHeld && (isFailing || (await free()) < reserve / 2)) await removeReserve()
  }

  const trackingFailure = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      if (isDiskFull(error)) isFailing = true
      throw error
    }
  }

  await removeReserveIfScarce()
  const check = () => void isScarce().catch(() => {})
  const checking = environment.interval(check, STORE_LIMITS.diskLookEveryMs, { ref: false })
  check()

  return {
    async adding(work) {
      if (await isScarce()) throw new DiskFull()
      const result = await trackingFailure(work)
      isFailing = false
      return result
    },

    async deleting(work) {
      await removeReserveIfScarce()
      return trackingFailure(work)
    },

    isFull: async () => (await isScarce()) || isFailing,
    free,

    async close() {
      isClosed = true
      checking.cancel()
      await filling
    },
  }
}
