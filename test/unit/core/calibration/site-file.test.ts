/** The file of a site's calibration: kept whole, checked, private, and of one embedder. */
import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cohortOf } from '../../../../core/calibration/cohort.ts'
import { CalibrationRefused } from '../../../../core/calibration/make.ts'
import {
  readSite,
  removeSite,
  SITE_FILE,
  type SiteFile,
  siteFor,
  writeSite,
} from '../../../../core/calibration/site-file.ts'
import { temporaryFolder } from '../folder.ts'
import { people } from './synthetic.ts'

const SITE: SiteFile = {
  cohort: cohortOf(people(20, 1, 1).flat()),
  table: [
    [-3, 0],
    [4.25, 1],
  ],
  embedder: 'net-32-abcdef01',
  made: '2026-11-20T12:00:00.000Z',
  people: 20,
  pictures: 20,
}

it('comes back to the bit, readable by its owner only, and leaves no draft', async () => {
  const data = await temporaryFolder()
  await writeSite(data, SITE)
  expect(await readSite(data)).toEqual(SITE)
  expect(await siteFor(data, SITE.embedder)).toEqual(SITE)
  expect(await readdir(data)).toEqual([SITE_FILE])
  if (process.platform !== 'win32') expect((await stat(join(data, SITE_FILE))).mode & 0o777).toBe(0o600)
})

it('gives way to the next one', async () => {
  const data = await temporaryFolder()
  await writeSite(data, SITE)
  await writeSite(data, { ...SITE, people: 21 })
  expect(await readSite(data)).toMatchObject({ people: 21 })
})

it('is gone once it is removed, and there is none to remove again', async () => {
  const data = await temporaryFolder()
  await writeSite(data, SITE)
  expect(await removeSite(data)).toBe(true)
  expect([await readSite(data), await removeSite(data)]).toEqual([undefined, false])
})

it('is refused to another embedder, in words that tell what to do', async () => {
  const data = await temporaryFolder()
  await writeSite(data, SITE)
  await expect(siteFor(data, 'other-128-00000000')).rejects.toThrow(CalibrationRefused)
  await expect(siteFor(data, 'other-128-00000000')).rejects.toThrow(/net-32-abcdef01.*--off/)
})

it('is refused when an earlier version made it: its table is of other scores', async () => {
  const data = await temporaryFolder()
  await writeSite(data, SITE)
  const { sha256: _, ...content } = JSON.parse(await readFile(join(data, SITE_FILE), 'utf8'))
  const older = { ...content, version: 1 }
  const sha256 = createHash('sha256').update(JSON.stringify(older)).digest('hex')
  await writeFile(join(data, SITE_FILE), JSON.stringify({ ...older, sha256 }))
  await expect(readSite(data)).rejects.toThrow(/earlier version.*--off/)
})

describe('a damaged file', () => {
  const damages: Record<string, (text: string) => string> = {
    'that is empty': () => '',
    'that is no JSON': text => text.slice(0, -40),
    'that is null': () => 'null',
    'with a changed score': text => text.replace('4.25', '3.25'),
    'with a changed embedding': text =>
      text.replace(/"cohort":"(.)/, (_, c) => `"cohort":"${c === 'A' ? 'B' : 'A'}`),
    'without its checksum': text => text.replace(/,"sha256":"[0-9a-f]+"/, ''),
  }
  it.each(Object.entries(damages))('%s is refused', async (_, damage) => {
    const data = await temporaryFolder()
    await writeSite(data, SITE)
    const path = join(data, SITE_FILE)
    await writeFile(path, damage(await readFile(path, 'utf8')))
    await expect(siteFor(data, SITE.embedder)).rejects.toThrow(CalibrationRefused)
  })
})
