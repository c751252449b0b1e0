/** Room on a real disk that is filled to its last byte: writes stop in time, deletions have a reserve. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { DiskFull, isDiskFull } from '../../../../core/files/disk-full.ts'
import {
  type DiskSpace,
  type OnDiskSpace,
  openDiskSpace,
  RESERVE_FILE,
} from '../../../../core/files/disk-space.ts'
import { StoreUnavailable } from '../../../../core/vector-store/vector-store.ts'
import { mayMount, type SmallDisk, smallDisk } from '../full-disk.ts'

const MEGABYTES = 32
const RESERVE = 2 * 2 ** 20

async function roomOn({ folder }: SmallDisk, news?: OnDiskSpace): Promise<DiskSpace> {
  const room = await openDiskSpace(folder, { news })
  onTestFinished(() => room.close())
  await vi.waitFor(() => expect(statSync(join(folder, RESERVE_FILE)).size).toBe(RESERVE))
  return room
}

const done = async () => 'done'

describe.skipIf(!mayMount())('the room of a data folder', () => {
  it('takes additions while a share of the disk is free, and refuses them before it is full', async () => {
    const disk = smallDisk(MEGABYTES)
    const told: string[] = []
    const room = await roomOn(disk, event => told.push(event))
    expect(await room.adding(done)).toBe('done')
    disk.fill('others', RESERVE - 4_096)
    await expect(room.adding(done)).rejects.toThrow(DiskFull)
    expect(await room.isFull()).toBe(true)
    disk.remove('others')
    expect(await room.adding(done)).toBe('done')
    expect(await room.isFull()).toBe(false)
    expect(told).toEqual(['disk full', 'disk space available'])
  })

  it('gives up its reserve to a deletion on a full disk, and makes it again when there is room', async () => {
    const disk = smallDisk(MEGABYTES)
    const room = await roomOn(disk)
    disk.fill('others')
    expect(disk.free()).toBe(0)
    await room.deleting(async () => writeFileSync(join(disk.folder, 'note'), Buffer.alloc(RESERVE / 2)))
    // What was given up is for deletions alone.
    expect(disk.free()).toBeGreaterThan(0)
    await expect(room.adding(done)).rejects.toThrow(DiskFull)
    disk.remove('others')
    expect(await room.adding(done)).toBe('done')
    await vi.waitFor(() => expect(statSync(join(disk.folder, RESERVE_FILE)).size).toBe(RESERVE))
  })

  it('keeps its reserve while a deletion has room without', async () => {
    const disk = smallDisk(MEGABYTES)
    const room = await roomOn(disk)
    disk.fill('others', RESERVE)
    await room.deleting(done)
    expect(existsSync(join(disk.folder, RESERVE_FILE))).toBe(true)
  })

  it('gives up the reserve of an earlier process when it is opened on a full disk', async () => {
    const disk = smallDisk(MEGABYTES)
    await (await roomOn(disk)).close()
    disk.fill('others')
    const room = await openDiskSpace(disk.folder)
    onTestFinished(() => room.close())
    expect(disk.free()).toBeGreaterThanOrEqual(RESERVE)
    expect(await room.isFull()).toBe(true)
  })

  it('counts the fullest of its folders, which may be on other disks', async () => {
    const [disk, other] = [smallDisk(MEGABYTES), smallDisk(MEGABYTES)]
    const room = await openDiskSpace(disk.folder, { folders: [other.folder, join(disk.folder, 'none')] })
    onTestFinished(() => room.close())
    expect(await room.adding(done)).toBe('done')
    other.fill('others')
    await expect(room.adding(done)).rejects.toThrow(DiskFull)
  })

  it('is for its owner alone', async () => {
    const disk = smallDisk(MEGABYTES)
    await roomOn(disk)
    expect(statSync(join(disk.folder, RESERVE_FILE)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(disk.folder, RESERVE_FILE)).every(byte => byte === 0)).toBe(false)
  })

  it('is full after an addition that a quota refused, and gives up the reserve then', async () => {
    const disk = smallDisk(MEGABYTES)
    const room = await roomOn(disk)
    const quota = () => Promise.reject(Object.assign(new Error(), { code: 'EDQUOT' }))
    await expect(room.adding(quota)).rejects.toMatchObject({ code: 'EDQUOT' })
    expect(await room.isFull()).toBe(true)
    await room.deleting(done)
    await room.adding(done)
    expect(await room.isFull()).toBe(false)
  })
})

describe('a full disk', () => {
  const failed = (code: string) => Object.assign(new Error(), { code })

  it.each([
    'ENOSPC',
    'EDQUOT',
    'EFBIG',
    'SQLITE_FULL',
    'SQLITE_IOERR',
    'SQLITE_IOERR_WRITE',
    'SQLITE_IOERR_SHMSIZE',
  ])('is known by %s', code => {
    expect(isDiskFull(failed(code))).toBe(true)
    expect(isDiskFull(new Error('', { cause: failed(code) }))).toBe(true)
  })

  it('is known by what a part of the store says', () => {
    expect(isDiskFull(new StoreUnavailable('full'))).toBe(true)
    expect(isDiskFull(new StoreUnavailable('away'))).toBe(false)
  })

  it.each(['SQLITE_IOERR_READ', 'SQLITE_IOERR_SHORT_READ', 'SQLITE_CORRUPT', 'SQLITE_BUSY', 'ENOENT', 'EIO'])(
    'is not %s',
    code => expect(isDiskFull(failed(code))).toBe(false),
  )
})
