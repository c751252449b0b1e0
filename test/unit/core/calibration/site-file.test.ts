/** The file of a site's calibration: complete, checksummed, private, and bound to one embedder. */
import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PACK_LIMITS } from '#contract/limits/packs.ts'
import { CalibrationRefused, makeCalibration } from '#core/calibration/make.ts'
import { readSite, SITE_FILE, type SiteFile, siteFor, writeSite } from '#core/calibration/site-file.ts'
import { temporaryFolder } from '../folder.ts'
import { LENGTH, people } from './synthetic.ts'

const SITE: SiteFile = {
  table: [
    [-0.5, 0],
    [0.425, 1],
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

/** Writes the file of an earlier version. */
async function writeOlder(data: string, fields: object): Promise<void> {
  await writeSite(data, SITE)
  const { sha256: _, ...content } = JSON.parse(await readFile(join(data, SITE_FILE), 'utf8'))
  const older = { ...content, ...fields }
  const sha256 = createHash('sha256').update(JSON.stringify(older)).digest('hex')
  await writeFile(join(data, SITE_FILE), JSON.stringify({ ...older, sha256 }))
}

it('readSite refuses the file of version 1', async () => {
  const data = await temporaryFolder()
  await writeOlder(data, { version: 1 })
  await expect(readSite(data)).rejects.toThrow(/earlier version.*--off/)
})

it('siteFor makes the table of version 2 again from its embeddings, and keeps none of them', async () => {
  const data = await temporaryFolder()
  const units = people(PACK_LIMITS.calibrationPeople, 1, 1).flat()
  const vectors = Buffer.concat(units.map(unit => Buffer.from(unit.buffer)))
  const cohort = vectors.toString('base64')
  await writeOlder(data, { version: 2, dimension: LENGTH, outermost: [{ mean: 0, deviation: 1 }], cohort })
  const site = await siteFor(data, SITE.embedder)
  expect(site).toEqual({ ...SITE, table: makeCalibration(units.map(unit => [unit])).table })
  expect(await readSite(data)).toEqual(site)
  expect(await readFile(join(data, SITE_FILE), 'utf8')).not.toContain(cohort.slice(0, 40))
})

describe('siteFor', () => {
  const damages: Record<string, (text: string) => string> = {
    'an empty file': () => '',
    'a truncated file': text => text.slice(0, -40),
    'a file that is null': () => 'null',
    'a file with a changed score': text => text.replace('0.425', '0.325'),
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
