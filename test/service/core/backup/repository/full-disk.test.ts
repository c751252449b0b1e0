/** A repository on a full disk: a backup fails clearly, and the earlier ones stay whole. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faceOf } from '#bench/harness/sample-faces.ts'
import { createRepository } from '#core/backup/repository/repository.ts'
import { mayMount, smallDisk } from '#test/unit/core/full-disk.ts'
import { enrolOne, kept } from '../../operations/world.ts'
import { backedUp, furnished, restored } from './backups.ts'

const KIB = 1_024

describe.skipIf(!mayMount())('a repository on a full disk', { tags: ['long', 'mount'] }, () => {
  it.each([0, 8])('with %d KiB left refuses a backup, and keeps the earlier one', async left => {
    const { world } = await furnished()
    const expected = await kept(world)
    const disk = smallDisk(4)
    const repository = await createRepository(join(disk.folder, 'backups'), undefined)
    await backedUp(world, repository)
    for (let face = 0; face < 10; face++) await enrolOne(world, faceOf(face, 2, 3))
    disk.fill('others', left * KIB)
    await expect(backedUp(world, repository)).rejects.toThrow(/^The disk of .* is full\.$/)
    expect(await kept(await restored(repository))).toEqual(expected)
    disk.remove('others')
    // The lock could not be renewed or removed in every case.
    await repository.place.remove((await repository.holdings()).locks)
    await backedUp(world, repository)
    expect(await kept(await restored(repository))).toEqual(await kept(world))
  })
})
