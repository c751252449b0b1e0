/** Disk space on a real disk that is filled to its last byte: additions stop early, deletions have a reserve. */
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  DiskFull,
  isDiskFull,
  type OnDiskSpace,
  openDiskSpace,
  RESERVE_FILE,
} from '#core/files/disk-space.ts'
import { mayMount, type SmallDisk, smallDisk } from '../full-disk.ts'

const MEGABYTES = 32
const RESERVE = 2 * 2 ** 20

async function spaceOn({ folder }: SmallDisk, news?: OnDiskSpace) {
  const diskSpace = await openDiskSpace(folder, { news })
  onTestFinished(() => diskSpace.close())
  await vi.waitFor(() => expect(statSync(join(folder, RESERVE_FILE)).size).toBe(RESERVE))
  return diskSpace
}

const done = async () => 'done'

describe.skipIf(!mayMount())('openDiskSpace', { tags: 'mount' }, () => {
  it('accepts additions while enough is free, refuses them before the disk is full, and reports both changes', async () => {
    const disk = smallDisk(MEGABYTES)
    const events: string[] = []
    const diskSpace = await spaceOn(disk, event => events.push(event))
    expect(await diskSpace.adding(done)).toBe('done')
    disk.fill('others', RESERVE - 4_096)
    await expect(diskSpace.adding(done)).rejects.toThrow(DiskFull)
    expect(await diskSpace.isFull()).toBe(true)
    disk.remove('others')
    expect(await diskSpace.adding(done)).toBe('done')
    expect(await diskSpace.isFull()).toBe(false)
    expect(events).toEqual(['disk full', 'disk space available'])
  })

  it('frees its reserve for a deletion on a full disk, and recreates it when space is available', async () => {
    const disk = smallDisk(MEGABYTES)
    const diskSpace = await spaceOn(disk)
    disk.fill('others')
    expect(disk.free()).toBe(0)
    await diskSpace.deleting(async () => writeFileSync(join(disk.folder, 'note'), Buffer.alloc(RESERVE / 2)))
    // The freed reserve is for deletions only.
    expect(disk.free()).toBeGreaterThan(0)
    await expect(diskSpace.adding(done)).rejects.toThrow(DiskFull)
    disk.remove('others')
    expect(await diskSpace.adding(done)).toBe('done')
    await vi.waitFor(() => expect(statSync(join(disk.folder, RESERVE_FILE)).size).toBe(RESERVE))
  })

  it('frees the reserve of an earlier process when it opens on a full disk', async () => {
    const disk = smallDisk(MEGABYTES)
    await (await spaceOn(disk)).close()
    disk.fill('others')
    const diskSpace = await openDiskSpace(disk.folder)
    onTestFinished(() => diskSpace.close())
    expect(disk.free()).toBeGreaterThanOrEqual(RESERVE)
    expect(await diskSpace.isFull()).toBe(true)
  })

  it('refuses additions when any of its folders is on a full disk', async () => {
    const [disk, other] = [smallDisk(MEGABYTES), smallDisk(MEGABYTES)]
    const diskSpace = await openDiskSpace(disk.folder, { folders: [other.folder, join(disk.folder, 'none')] })
    onTestFinished(() => diskSpace.close())
    expect(await diskSpace.adding(done)).toBe('done')
    other.fill('others')
    await expect(diskSpace.adding(done)).rejects.toThrow(DiskFull)
  })

  it('counts as full after EDQUOT, until a deletion and an addition succeed', async () => {
    const disk = smallDisk(MEGABYTES)
    const diskSpace = await spaceOn(disk)
    const quota = () => Promise.reject(Object.assign(new Error(), { code: 'EDQUOT' }))
    await expect(diskSpace.adding(quota)).rejects.toMatchObject({ code: 'EDQUOT' })
    expect(await diskSpace.isFull()).toBe(true)
    await diskSpace.deleting(done)
    await diskSpace.adding(done)
    expect(await diskSpace.isFull()).toBe(false)
  })
})

describe('isDiskFull', () => {
  const failed = (code: string) => Object.assign(new Error(), { code })

  it.each(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE'])('is true for %s', code => {
    expect(isDiskFull(failed(code))).toBe(true)
    expect(isDiskFull(new Error('', { cause: failed(code) }))).toBe(true)
  })

  it.each(['SQLITE_IOERR_READ', 'SQLITE_CORRUPT', 'SQLITE_BUSY', 'ENOENT'])('is false for %s', code =>
    expect(isDiskFull(failed(code))).toBe(false),
  )
})
