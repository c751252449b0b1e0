/** The room on the disk of a data folder: writes stop before it is used up, and a reserve is kept for deletions. */
import { randomBytes } from 'node:crypto'
import { open, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { LIMITS } from '../contract/limits.ts'
import { DiskFull, isDiskFull } from './disk-full.ts'
import { ignoreCode } from './expected-errors.ts'

/** In a data folder: bytes without a meaning, which give way to deletions on a full disk. */
export const RESERVE_FILE = 'reserve'

/** Bytes that are written at once. */
const STRIDE = 2 ** 20

/** Told when writes begin to be refused, and when they go on. */
export type OnDiskSpace = (
  event: 'disk full' | 'disk has room',
  facts: { free: number; needed: number },
) => void

export interface DiskSpace {
  /** Does work that adds or changes something. Rejects with DiskFull, and begins nothing, while there is too little room. */
  adding<Result>(work: () => Promise<Result>): Promise<Result>
  /** Does work that goes on while the disk is full: a deletion, and what belongs to one. It may use the reserve. */
  deleting<Result>(work: () => Promise<Result>): Promise<Result>
  /** Whether additions are refused, or failed when they were tried last. */
  isFull(): Promise<boolean>
  close(): Promise<void>
}

export interface DiskSpaceSettings {
  /** Other folders that are written to. They may be on other disks. */
  folders?: readonly string[]
  news?: OnDiskSpace | undefined
}

/**
 * Opens the room of a data folder that is there. A reserve that an earlier process left is given up if the disk is full: a
 * start writes, too.
 */
export async function openDiskSpace(
  data: string,
  { folders = [], news = () => {} }: DiskSpaceSettings = {},
): Promise<DiskSpace> {
  const path = join(data, RESERVE_FILE)
  const { blocks, bsize } = await statfs(data)
  const share = Math.floor((blocks * bsize) / LIMITS.diskShares)
  const reserve = Math.min(LIMITS.diskReserveBytes, share)
  const least = Math.min(LIMITS.diskLeastBytes, share)
  let isHeld = (await stat(path).catch(ignoreCode('ENOENT')))?.size === reserve
  let isFailing = false
  let wasFull = false
  let filling: Promise<void> | undefined
  let isClosed = false

  /** Bytes that a program may still write to the fullest of the disks. */
  const free = async (): Promise<number> => {
    const found = await Promise.all(
      [data, ...folders].map(folder => statfs(folder).catch(ignoreCode('ENOENT'))),
    )
    return Math.min(...found.flatMap(disk => (disk ? [disk.bavail * disk.bsize] : [])))
  }

  /** While the reserve is missing, its size is needed as well. */
  const needed = (): number => least + (isHeld ? 0 : reserve)

  async function isScarce(): Promise<boolean> {
    const left = await free()
    const isFull = left < needed()
    if (isFull !== wasFull) news(isFull ? 'disk full' : 'disk has room', { free: left, needed: needed() })
    wasFull = isFull
    if (!isHeld && !isFull) filling ??= fill().finally(() => (filling = undefined))
    return isFull
  }

  async function fill(): Promise<void> {
    try {
      const file = await open(path, 'w', 0o600)
      try {
        // A file system may keep zeros, or what compresses, in no room at all.
        const bytes = randomBytes(Math.min(reserve, STRIDE))
        for (let at = 0; at < reserve && !isClosed; at += bytes.length)
          await file.writeFile(bytes.subarray(0, reserve - at))
      } finally {
        await file.close()
      }
      isHeld = !isClosed
    } catch {
      // The next look tries again.
    }
    if (!isHeld) await rm(path, { force: true })
  }

  async function giveUpReserve(): Promise<void> {
    await filling
    isHeld = false
    await rm(path, { force: true })
  }

  const giveUpIfScarce = async (): Promise<void> => {
    if (isHeld && (isFailing || (await free()) < reserve / 2)) await giveUpReserve()
  }

  const noticing = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      if (isDiskFull(error)) isFailing = true
      throw error
    }
  }

  await giveUpIfScarce()
  const look = () => void isScarce().catch(() => {})
  const looking = setInterval(look, LIMITS.diskLookEveryMs).unref()
  look()

  return {
    async adding(work) {
      if (await isScarce()) throw new DiskFull()
      const result = await noticing(work)
      isFailing = false
      return result
    },

    async deleting(work) {
      await giveUpIfScarce()
      return noticing(work)
    },

    isFull: async () => (await isScarce()) || isFailing,

    async close() {
      isClosed = true
      clearInterval(looking)
      await filling
    },
  }
}
