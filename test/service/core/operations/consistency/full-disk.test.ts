/** Operations that fill the disk: no partial data stays. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isDiskFull, RESERVE_FILE } from '#core/files/disk-space.ts'
import { faces, intents } from '#core/metadata/schema.ts'
import { WRITING } from '#core/pictures/folder.ts'
import { PICTURES_FOLDER } from '#core/pictures/open.ts'
import { faceOf, OWNER } from '#test/support/sample-faces.ts'
import { mayMount, smallDisk } from '#test/unit/core/full-disk.ts'
import { deleteFace } from '../own.ts'
import { enrolOne, expectKept, keyed, openWorld, type World } from '../world.ts'

const MEGABYTES = 16
const KIB = 1_024

async function worldOn(folder: string): Promise<World> {
  const world = await openWorld(folder)
  await vi.waitFor(() => expect(statSync(join(folder, RESERVE_FILE)).size).toBe(2 ** 20))
  return world
}

/** Ids of all faces, after a check that exactly their vectors and pictures exist, and no part of a picture. */
async function wholeFaces(world: World): Promise<number[]> {
  const ids = (await world.database.select({ id: faces.id }).from(faces)).map(({ id }) => id)
  await expectKept(world, ...ids.map(id => ({ id })))
  expect(await world.database.$count(intents)).toBe(0)
  expect(readdirSync(join(world.data, PICTURES_FOLDER, WRITING))).toEqual([])
  return ids
}

const refusal = (work: Promise<unknown>): Promise<boolean> => work.then(() => false, isDiskFull)

describe.skipIf(!mayMount())('operations on a full disk', { tags: ['long', 'mount'] }, () => {
  // No check of free space runs first: the disk fills before the intent, at the pictures, the vectors or the rows.
  it.each([0, 96])('store each enrolment completely or not at all when %d KiB are left', async left => {
    const disk = smallDisk(MEGABYTES)
    const world = await worldOn(disk.folder)
    const before = await enrolOne(world, faceOf(1, 2, 3))
    disk.fill('others', left * KIB)
    let stored = 0
    for (let refused = false; !refused; stored += refused ? 0 : 1)
      refused = await refusal(enrolOne(world, faceOf(stored, 5, 6), await keyed(`key ${stored}`, 'a photo')))
    expect(await wholeFaces(world)).toHaveLength(1 + stored)
    await world.diskSpace.deleting(() => deleteFace(world, before))
    expect(await wholeFaces(world)).toHaveLength(stored)
    disk.remove('others')
    await enrolOne(world, faceOf(7, 8, 9), await keyed(`key ${stored}`, 'a photo'))
    expect(await wholeFaces(world)).toHaveLength(stored + 1)
  })

  it('keep events in the audit log, and let the service close normally', async () => {
    const disk = smallDisk(MEGABYTES)
    const world = await worldOn(disk.folder)
    disk.fill('others')
    await world.record({ actor: 'service', action: 'test', owner: OWNER })
    disk.fill('more')
    await world.close()
  })
})
