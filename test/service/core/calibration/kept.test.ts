/** Site calibrations in backups and in the verification of a data folder. */
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { backUp } from '#core/backup/folder-backup.ts'
import { restore } from '#core/backup/restore.ts'
import { verifyAll } from '#core/backup/verify.ts'
import { readSite, SITE_FILE, writeSite } from '#core/calibration/site-file.ts'
import { temporaryFolder } from '#test/unit/core/folder.ts'
import { openWorld } from '../operations/world.ts'

async function calibratedWorld() {
  const world = await openWorld()
  await writeSite(world.data, {
    table: [
      [0, 0],
      [1, 1],
    ],
    embedder: 'colours-3',
    made: '2026-11-20T12:00:00.000Z',
    people: 5,
    pictures: 5,
  })
  return world
}

it('a backup restores a site calibration with private file permissions', async () => {
  const { data } = await calibratedWorld()
  const folder = await temporaryFolder()
  const [target, restored] = [join(folder, 'backup'), join(folder, 'data')]
  await backUp({ data, target, embedder: 'colours-3', now: 0 })
  await restore({ source: target, data: restored, embedder: 'colours-3' })
  expect(await readSite(restored)).toEqual(await readSite(data))
  if (process.platform !== 'win32')
    for (const place of [target, restored])
      expect((await stat(join(place, SITE_FILE))).mode & 0o777).toBe(0o600)
})

it('verifyAll reports a damaged site calibration, and neither a whole nor a missing one', async () => {
  const world = await calibratedWorld()
  expect(await verifyAll(world.data, world)).toEqual([])
  await writeFile(join(world.data, SITE_FILE), '{}')
  expect(await verifyAll(world.data, world)).toEqual([expect.stringContaining('is damaged')])
})
