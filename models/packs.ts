/** The packs of an installation, shipped or added by the operator, and the choice of one. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { isLaterVersion, laterVersion } from '../contract/later-version.ts'
import { pathBelow } from '../contract/stored-path.ts'
import {
  type Calibration,
  type CalibrationName,
  type Calibrations,
  CalibrationsSchema,
} from './calibrations.ts'
import { filesOf, isBuilt } from './file-entry.ts'
import { BUILT_FILES, BUILT_FOLDER, type PlacedFiles } from './files.ts'
import {
  MANIFEST,
  type Manifest,
  ManifestSchema,
  type Pack,
  type PackEntry,
  PackName,
  packWithDefaults,
  REMOVED_KIND,
  STANDARD,
} from './manifest.ts'

/** A pack that cannot be used. The message tells the operator the reason and the next step. */
class PackRefused extends Error {
  override readonly name = 'PackRefused'
}

/** A pack that was removed, or has a kind of detector that was removed. */
class PackRemoved extends PackRefused {}

/** A pack and its files. Plain values, which can be passed to worker threads. */
export interface PlacedPack extends Pack {
  readonly name: string
  readonly files: PlacedFiles
}

export const STANDARD_NAME = 'standard'

/** Packs of 0.2 that were removed. */
export const REMOVED_PACKS: readonly string[] = ['dlib', 'mobilefacenet']

/** The default pack. */
export const STANDARD_PACK: PlacedPack & typeof STANDARD = {
  ...STANDARD,
  name: STANDARD_NAME,
  files: filesAmong(STANDARD, BUILT_FILES),
}

/** Folder of a pack's own files in the data folder. */
export const packFolder = (data: string, name: string): string => pathBelow(join(data, 'packs'), name)

/** Manifest in the folder of an added pack. */
export const PACK_MANIFEST = 'manifest.json'

/** Tables that `npm run bench -- calibrate` measured at this installation. They override the tables of the manifest. */
export const PACK_CALIBRATION = 'calibration.json'

/** The file in the data folder that names the chosen pack. */
export const CHOICE = 'pack.json'

const ChoiceSchema = z.strictObject({
  pack: PackName,
  /** Label of its embedder: edges of 0.2 read it. */
  embedder: z.string().optional(),
})

/** All packs, shipped ones first, without packs of a removed kind. Throws PackRefused when a file of a pack is unreadable. */
export async function packsOf(data: string): Promise<PlacedPack[]> {
  const added = (await readdir(join(data, 'packs')).catch(() => [])).filter(name => !isShipped(name)).sort()
  const names = [...Object.keys(MANIFEST.packs), ...added.filter(name => PackName.safeParse(name).success)]
  const packs = await Promise.all(names.map(name => packIfThere(data, name).catch(leftOut)))
  return packs.flatMap(pack => pack ?? [])
}

function leftOut(error: unknown): undefined {
  if (!(error instanceof PackRemoved)) throw error
}

/** The pack with this name. Throws PackRefused when it does not exist. */
export async function packNamed(data: string, name: string): Promise<PlacedPack> {
  const pack = PackName.safeParse(name).success ? await packIfThere(data, name) : undefined
  if (pack) return pack
  if (REMOVED_PACKS.includes(name))
    throw new PackRemoved(
      `The pack "${name}" was removed: start without --pack and MIEN_PACK, and run "mien models reembed" once for the data folder of core.`,
    )
  throw new PackRefused(`There is no pack "${name}": mien models list shows those that there are.`)
}

/**
 * Name of the pack: `preferred`, else the choice of the data folder, else the standard pack. Throws PackRefused when the choice
 * is unreadable.
 */
export async function chosenName(data: string, preferred?: string): Promise<string> {
  if (preferred) return preferred
  const path = join(data, CHOICE)
  const choice = await readJson(path)
  if (choice === undefined) return STANDARD_NAME
  const parsed = ChoiceSchema.safeParse(choice)
  if (!parsed.success) throw new PackRefused(`${path} is damaged: mien models use NAME writes it again.`)
  return parsed.data.pack
}

/** The pack named by `chosenName`. Throws PackRefused when it does not exist. */
export const chosenPack = async (data: string, preferred?: string): Promise<PlacedPack> =>
  packNamed(data, await chosenName(data, preferred))

/** A pack with calibrated scores. */
export type UsablePack = PlacedPack & { embedder: { calibration: Calibrations } }

/** Returns the pack if it is calibrated. Throws PackRefused otherwise. */
export function requireUsable(pack: PlacedPack): UsablePack {
  const { calibration } = pack.embedder
  if (calibration) return { ...pack, embedder: { ...pack.embedder, calibration } }
  throw new PackRefused(
    `The scores of the pack "${pack.name}" are not calibrated. ` +
      `In the repository, npm run bench -- calibrate --pack ${pack.name} --images DIR --update does it.`,
  )
}

/**
 * The table with this name. Throws PackRefused when the pack does not have it: another table would guarantee other
 * error rates.
 */
export function tableOf({ name: pack, embedder }: UsablePack, name: CalibrationName): Calibration {
  const table = embedder.calibration[name]
  if (table) return table
  throw new PackRefused(
    `The pack "${pack}" has no table "${name}". Set MIEN_CALIBRATION=default, or measure one in the repository: ` +
      `npm run bench -- calibrate --pack ${pack} --groups DIR --update.`,
  )
}

export const isShipped = (name: string): boolean => Object.hasOwn(MANIFEST.packs, name)

async function packIfThere(data: string, name: string): Promise<PlacedPack | undefined> {
  const manifest = isShipped(name) ? MANIFEST : await addedManifest(data, name)
  const entry = manifest?.packs[name]
  if (!entry) return undefined
  const table =
    (await measuredTable(data, name)) ??
    (entry.embedder ? undefined : await measuredTable(data, STANDARD_NAME)) ??
    entry.calibration
  return placed(data, name, entry, manifest, table)
}

async function addedManifest(data: string, name: string): Promise<Manifest | undefined> {
  const path = join(packFolder(data, name), PACK_MANIFEST)
  const manifest = await readJson(path)
  if (manifest === undefined) return undefined
  const parsed = ManifestSchema.safeParse(manifest)
  if (parsed.success) return parsed.data
  if (parsed.error.issues.some(({ message }) => message === REMOVED_KIND))
    throw new PackRemoved(
      `The pack "${name}" has a detector of the kind scrfd. This kind is no longer supported: ` +
        'choose another pack with mien models use NAME.',
    )
  throw new PackRefused(`${path} is damaged: add the pack again.`)
}

async function measuredTable(data: string, name: string): Promise<Calibrations | undefined> {
  const path = join(packFolder(data, name), PACK_CALIBRATION)
  const table = await readJson(path)
  if (table === undefined) return undefined
  const parsed = CalibrationsSchema.safeParse(table)
  if (!parsed.success)
    throw new PackRefused(`${path} is damaged: measure the pack again, or remove the file.`)
  return parsed.data
}

function placed(
  data: string,
  name: string,
  entry: PackEntry,
  { files }: Manifest,
  calibration: Calibrations | undefined,
): PlacedPack {
  const pack = packWithDefaults(entry)
  const own = Object.entries(files)
    .filter(([, file]) => !isBuilt(file))
    .map(([file, checked]) => [file, { ...checked, path: pathOfFile(data, name, file) }] as const)
  return {
    ...pack,
    embedder: calibration ? { ...pack.embedder, calibration } : pack.embedder,
    name,
    files: filesAmong(pack, { ...BUILT_FILES, ...Object.fromEntries(own) }),
  }
}

/** Path of a pack's own file: in the data folder; in the program if only a release that holds the pack has it. */
function pathOfFile(data: string, name: string, file: string) {
  const own = pathBelow(packFolder(data, name), file)
  const held = fileURLToPath(new URL(file, BUILT_FOLDER))
  return isShipped(name) && !existsSync(own) && existsSync(held) ? held : own
}

/** The files that the pack's networks are loaded from. */
function filesAmong(pack: Pack, files: PlacedFiles): PlacedFiles {
  return Object.fromEntries(filesOf(pack).flatMap(file => (files[file] ? [[file, files[file]]] : [])))
}

/**
 * The parsed file; undefined when the file does not exist, null for invalid JSON. Throws PackRefused when a later version
 * of the service wrote it.
 */
async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const content = parseJson(text)
  if (isLaterVersion(content)) throw new PackRefused(laterVersion(path))
  return content
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
