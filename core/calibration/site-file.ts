/**
 * Stores the calibration of a site in the data folder: written atomically, with a checksum, and tied to one embedder.
 *
 * The file contains embeddings of faces and needs the same protection.
 */

import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { isLaterVersion, laterVersion } from '../../contract/later-version.ts'
import { CalibrationSchema } from '../../models/calibrations.ts'
import type { DataKey } from '../encryption/encrypt.ts'
import { type FileForm, fileForm } from '../encryption/file-form.ts'
import { syncFolder, writeWhole } from '../files/durable.ts'
import { ignoreCode } from '../files/inspect.ts'
import { cohortStatistics, greatestScoreIn, StatisticsCache, scoreIn } from './cohort.ts'
import { CalibrationRefused, type SiteCalibration } from './make.ts'
import { calibrated, fourDecimals, labelOf, type Scale } from './scale.ts'

/** File name in the data folder. */
export const SITE_FILE = 'site-calibration.json'

/** Changes with the definition of a standing: a table is valid only for standings of its version. */
const VERSION = 2

/** A site's calibration, and what it was made of. */
export interface SiteFile extends SiteCalibration {
  /** Label of the embedder; see embedding/label.ts. */
  readonly embedder: string
  /** Creation time, ISO 8601. */
  readonly made: string
  readonly people: number
  readonly pictures: number
}

const StandingSchema = z.strictObject({ mean: z.number(), deviation: z.number().positive() })

const FileSchema = z.strictObject({
  format: z.literal('mien-calibration'),
  version: z.literal(VERSION),
  embedder: z.string(),
  made: z.iso.datetime(),
  people: z.int().min(1),
  pictures: z.int().min(1),
  table: CalibrationSchema,
  dimension: z.int().min(1),
  outermost: z.array(StandingSchema).min(1),
  /** Concatenated unit vectors: float32, little-endian, in Base64. */
  cohort: z.base64(),
})

/** The file's format on disk. There is one file, and encryption binds it to its name. */
export const siteForm = (dataKey: DataKey | undefined): FileForm => fileForm(dataKey, 'calibration')

/** Writes the file atomically and durably. Only the data folder's owner can read it. */
export async function writeSite(data: string, site: SiteFile, dataKey?: DataKey): Promise<void> {
  const { cohort, ...rest } = site
  const { vectors, dimension, outermost } = cohort
  const content: z.infer<typeof FileSchema> = {
    format: 'mien-calibration',
    version: VERSION,
    ...rest,
    dimension,
    outermost: [...outermost],
    cohort: Buffer.from(vectors.buffer, vectors.byteOffset, vectors.byteLength).toString('base64'),
  }
  const text = `${JSON.stringify({ ...content, sha256: sha256Of(content) })}\n`
  const stored = siteForm(dataKey).stored(new TextEncoder().encode(text), SITE_FILE)
  await writeWhole(join(data, SITE_FILE), stored, data)
  await syncFolder(data)
}

/**
 * Reads the site's calibration; undefined when there is none. Throws CalibrationRefused when the file is damaged or of
 * another version.
 */
export async function readSite(data: string, dataKey?: DataKey): Promise<SiteFile | undefined> {
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
 * Reads the site's calibration for a service with this embedder. Throws CalibrationRefused also when it is of another
 * embedder.
 */
export async function siteFor(
  data: string,
  embedder: string,
  dataKey?: DataKey,
): Promise<SiteFile | undefined> {
  const site = await readSite(data, dataKey)
  if (!site || site.embedder === embedder) return site
  throw new CalibrationRefused(
    `${join(data, SITE_FILE)} is of ${site.embedder}, and this service makes embeddings of ${embedder}. Make it again with "mien calibrate --images DIR", or do without: "mien calibrate --off".`,
  )
}

/** Deletes the file. False when there was none. */
export async function removeSite(data: string): Promise<boolean> {
  const removed = await rm(join(data, SITE_FILE)).then(() => true, ignoreCode('ENOENT'))
  if (removed) await syncFolder(data)
  return removed ?? false
}

function parsed(text: string, path: string): SiteFile {
  const { sha256, ...content } = JSON.parse(text)
  if (isLaterVersion(content, VERSION)) throw new CalibrationRefused(laterVersion(path))
  if (sha256 !== sha256Of(content)) throw new Error('the checksum is of something else')
  if (content.version < VERSION)
    throw new CalibrationRefused(
      `${path} was made by an earlier version, which compared faces otherwise. Make it again with "mien calibrate --images DIR", or do without: "mien calibrate --off".`,
    )
  const { format: _, version: __, dimension, outermost, cohort, ...rest } = FileSchema.parse(content)
  const vectors = new Float32Array(Uint8Array.from(Buffer.from(cohort, 'base64')).buffer)
  if (vectors.length % dimension !== 0) throw new Error('the cohort has no whole number of vectors')
  return { ...rest, cohort: { vectors, dimension, outermost } }
}

const sha256Of = (content: object): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex')

/** The scale of a site. Embeddings of another length than the cohort's are from elsewhere and use the pack's scale. */
export function siteScale({ cohort, table }: SiteCalibration, pack: Scale): Scale {
  const standings = new StatisticsCache(embedding => cohortStatistics(cohort, embedding))
  const confidence = calibrated(table)
  return {
    label: labelOf(table),
    with(probe) {
      if (probe.length !== cohort.dimension) return pack.with(probe)
      const own = standings.of(probe)
      return {
        needsVectors: true,
        score(cosine, vector) {
          if (!vector) throw new Error('a score beside a cohort needs both embeddings')
          // Rounding can make the product of two unit vectors exceed 1.
          return scoreIn(cohort, Math.min(1, cosine), own, standings.of(vector))
        },
        greatestScore: cosine => greatestScoreIn(cohort, cosine, own),
        confidence: score => fourDecimals(confidence(score)),
      }
    },
  }
}
