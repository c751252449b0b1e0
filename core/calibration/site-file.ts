/** Stores the calibration of a site in the data folder: written atomically, with a checksum, and tied to one embedder. */
import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { isLaterVersion, laterVersion } from '../../contract/later-version.ts'
import { type Calibration, CalibrationSchema } from '../../models/calibrations.ts'
import type { DataKey } from '../encryption/encrypt.ts'
import { type FileForm, fileForm } from '../encryption/file-form.ts'
import { syncFolder, writeWhole } from '../files/durable.ts'
import { ignoreCode } from '../files/inspect.ts'
import { CalibrationRefused, makeCalibration } from './make.ts'

/** File name in the data folder. */
export const SITE_FILE = 'site-calibration.json'

/** Changes with the definition of a score: a table is valid only for scores of its version. */
const VERSION = 3

/** A site's calibration, and what it was made of. */
export interface SiteFile {
  /** From scores to confidences. */
  readonly table: Calibration
  /** Label of the embedder; see embedding/label.ts. */
  readonly embedder: string
  /** Creation time, ISO 8601. */
  readonly made: string
  readonly people: number
  readonly pictures: number
}

const FileSchema = z.strictObject({
  format: z.literal('mien-calibration'),
  version: z.literal(VERSION),
  embedder: z.string(),
  made: z.iso.datetime(),
  people: z.int().min(1),
  pictures: z.int().min(1),
  table: CalibrationSchema,
})

/** Version 2 normalised scores by embeddings of the people. A table is made from them. */
const OlderSchema = FileSchema.extend({
  version: z.literal(2),
  dimension: z.int().min(1),
  outermost: z.array(z.unknown()),
  /** Concatenated unit vectors: float32, little-endian, in Base64. */
  cohort: z.base64(),
})

/** The file's format on disk. There is one file, and encryption binds it to its name. */
export const siteForm = (dataKey: DataKey | undefined): FileForm => fileForm(dataKey, 'calibration')

/** Writes the file atomically and durably. Only the data folder's owner can read it. */
export async function writeSite(data: string, site: SiteFile, dataKey?: DataKey): Promise<void> {
  const content: z.infer<typeof FileSchema> = { format: 'mien-calibration', version: VERSION, ...site }
  const text = `${JSON.stringify({ ...content, sha256: sha256Of(content) })}\n`
  const stored = siteForm(dataKey).stored(new TextEncoder().encode(text), SITE_FILE)
  await writeWhole(join(data, SITE_FILE), stored, data)
  await syncFolder(data)
}

/**
 * Reads the site's calibration; undefined when there is none. Throws CalibrationRefused when the file is damaged or of
 * another version.
 */
export const readSite = async (data: string, dataKey?: DataKey): Promise<SiteFile | undefined> =>
  (await readVersion(data, dataKey))?.site

async function readVersion(data: string, dataKey: DataKey | undefined): Promise<ReadSite | undefined> {
  const path = join(data, SITE_FILE)
  const stored = await readFile(path).catch(ignoreCode('ENOENT'))
  if (stored === undefined) return undefined
  try {
    return parsed(new TextDecoder().decode(siteForm(dataKey).read(stored, SITE_FILE)), path)
  } catch (error) {
    if (error instanceof CalibrationRefused) throw error
    throw new CalibrationRefused(
      `${path} is damaged. Restore it from a backup, make it again with "mien calibrate --images DIR", or do without: "mien calibrate --off".`,
      { cause: error },
    )
  }
}

/**
 * Reads the site's calibration for a service with this embedder, and writes that of an earlier version again. Throws
 * CalibrationRefused also when it is of another embedder.
 */
export async function siteFor(
  data: string,
  embedder: string,
  dataKey?: DataKey,
): Promise<SiteFile | undefined> {
  const { site, version = VERSION } = (await readVersion(data, dataKey)) ?? {}
  if (!site) return undefined
  if (site.embedder !== embedder)
    throw new CalibrationRefused(
      `${join(data, SITE_FILE)} is of ${site.embedder}, and this service makes embeddings of ${embedder}. Make it again with "mien calibrate --images DIR", or do without: "mien calibrate --off".`,
    )
  if (version < VERSION) await writeSite(data, site, dataKey)
  return site
}

/** Deletes the file. False when there was none. */
export async function removeSite(data: string): Promise<boolean> {
  const removed = await rm(join(data, SITE_FILE)).then(() => true, ignoreCode('ENOENT'))
  if (removed) await syncFolder(data)
  return removed ?? false
}

interface ReadSite {
  site: SiteFile
  version: number
}

function parsed(text: string, path: string): ReadSite {
  const { sha256, ...content } = JSON.parse(text)
  if (isLaterVersion(content, VERSION)) throw new CalibrationRefused(laterVersion(path))
  if (sha256 !== sha256Of(content)) throw new Error('the checksum does not match')
  if (content.version === 2) return { site: ofOlder(OlderSchema.parse(content)), version: 2 }
  if (content.version < VERSION)
    throw new CalibrationRefused(
      `${path} was made by an earlier version, which compared faces otherwise. Make it again with "mien calibrate --images DIR", or do without: "mien calibrate --off".`,
    )
  const { format: _, version, ...site } = FileSchema.parse(content)
  return { site, version }
}

function ofOlder({
  dimension,
  cohort,
  embedder,
  made,
  people,
  pictures,
}: z.infer<typeof OlderSchema>): SiteFile {
  const vectors = new Float32Array(Uint8Array.from(Buffer.from(cohort, 'base64')).buffer)
  if (vectors.length % dimension !== 0) throw new Error('the cohort has no whole number of vectors')
  const units = Array.from({ length: vectors.length / dimension }, (_, i) => [
    vectors.subarray(i * dimension, (i + 1) * dimension),
  ])
  return { table: makeCalibration(units).table, embedder, made, people, pictures }
}

const sha256Of = (content: object): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex')
