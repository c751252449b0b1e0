/** The file of a site's calibration: complete, checksummed, private, and bound to one embedder. */
import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cohortOf } from '#core/calibration/cohort.ts'
import { CalibrationRefused } from '#core/calibration/make.ts'
import { readSite, SITE_FILE, type SiteFile, siteFor, writeSite } from '#core/calibration/site-file.ts'
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

it('writeSite stores the calibration unchanged, readable by its owner only, and leaves no temporary file', async () => {
  const data = await temporaryFolder()
  await writeSite(data, SITE)
  expect(await readSite(data)).toEqual(SITE)
  expect(await siteFor(data, SITE.embedder)).toEqual(SITE)
  expect(await readdir(data)).toEqual([SITE_FILE])
  if (process.platform !== 'win32') expect((await stat(join(data, SITE_FILE))).mode & 0o777).toBe(0o600)
})

it('siteFor refuses another embedder and says how to turn the calibration off', async () => {
  const data = await temporaryFolder()
  await writeSite(data, SITE)
  await expect(siteFor(data, 'other-128-00000000')).rejects.toThrow(CalibrationRefused)
  await expect(siteFor(data, 'other-128-00000000')).rejects.toThrow(/net-32-abcdef01.*--off/)
})

it('readSite refuses the file of an earlier version', async () => {
  const data = await temporaryFolder()
  await writeSite(data, SITE)
  const { sha256: _, ...content } = JSON.parse(await readFile(join(data, SITE_FILE), 'utf8'))
  const older = { ...content, version: 1 }
  const sha256 = createHash('sha256').update(JSON.stringify(older)).digest('hex')
  await writeFile(join(data, SITE_FILE), JSON.stringify({ ...older, sha256 }))
  await expect(readSite(data)).rejects.toThrow(/earlier version.*--off/)
})

describe('siteFor', () => {
  const damages: Record<string, (text: string) => string> = {
    'an empty file': () => '',
    'a truncated file': text => text.slice(0, -40),
    'a file that is null': () => 'null',
    'a file with a changed score': text => text.replace('4.25', '3.25'),
    'a file with a changed embedding': text =>
      text.replace(/"cohort":"(.)/, (_, c) => `"cohort":"${c === 'A' ? 'B' : 'A'}`),
    'a file without its checksum': text => text.replace(/,"sha256":"[0-9a-f]+"/, ''),
  }
  it.each(Object.entries(damages))('refuses %s', async (_, damage) => {
    const data = await temporaryFolder()
    await writeSite(data, SITE)
    const path = join(data, SITE_FILE)
    await writeFile(path, damage(await readFile(path, 'utf8')))
    await expect(siteFor(data, SITE.embedder)).rejects.toThrow(CalibrationRefused)
  })
})
