/** Files that do not fit on a full disk: no part of them stays. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createRepository } from '#core/backup/repository/repository.ts'
import { isDiskFull } from '#core/files/disk-space.ts'
import { insertEntries } from '#core/metadata/audit-log/entries.ts'
import { exportAudit, readAuditFile } from '#core/metadata/audit-log/file.ts'
import { indexForm, writeIndex } from '#core/vector-store/index/index-file.ts'
import { faceOf } from '#test/support/sample-faces.ts'
import { mayMount, smallDisk } from '#test/unit/core/full-disk.ts'
import { enrolOne, kept, openWorld } from '../operations/world.ts'
import { backedUp, furnished, restored } from './repository/backups.ts'

const KIB = 1_024

describe.skipIf(!mayMount())('a full disk', { tags: 'mount' }, () => {
  it('refuses a backup to a repository, and keeps the earlier one', { tags: 'long' }, async () => {
    const { world } = await furnished()
    const expected = await kept(world)
    const disk = smallDisk(4)
    const repository = await createRepository(join(disk.folder, 'backups'), undefined)
    await backedUp(world, repository)
    for (let face = 0; face < 10; face++) await enrolOne(world, faceOf(face, 2, 3))
    disk.fill('others', 8 * KIB)
    await expect(backedUp(world, repository)).rejects.toThrow(/^The disk of .* is full\.$/)
    expect(await kept(await restored(repository))).toEqual(expected)
    disk.remove('others')
    // The lock could not be renewed or removed in every case.
    await repository.place.remove((await repository.inventory()).locks)
    await backedUp(world, repository)
    expect(await kept(await restored(repository))).toEqual(await kept(world))
  })

  it('refuses an export of the audit log, which continues when space is available', async () => {
    const { database } = await openWorld()
    const entry = { actor: 'a', action: 'b', subject: { text: 'c'.repeat(200) } }
    await insertEntries(database, Array(500).fill(entry))
    const disk = smallDisk(1)
    disk.fill('others', 64 * KIB)
    const path = join(disk.folder, 'log')
    expect(await exportAudit(database, path).then(() => false, isDiskFull)).toBe(true)
    disk.remove('others')
    await exportAudit(database, path)
    expect(await readAuditFile(path)).toMatchObject({ entries: 500 })
  })

  it('keeps no part of an index', async () => {
    const disk = smallDisk(1)
    disk.fill('others', 64 * KIB)
    const path = join(disk.folder, '1-1.ivf')
    const writing = writeIndex(path, new Uint8Array(256 * KIB), indexForm(undefined))
    expect(await writing.then(() => false, isDiskFull)).toBe(true)
    expect(await readdir(disk.folder)).toEqual(['others'])
  })
})
