/** The packs of an installation: what the repository ships and what its operator has added, and which of them is chosen. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import {
  type Calibration,
  type CalibrationName,
  type Calibrations,
  CalibrationsSchema,
} from './calibrations.ts'
import { BUILT_FILES, type PlacedFiles } from './files.ts'
import {
  filesOf,
  MANIFEST,
  type Manifest,
  ManifestSchema,
  type Pack,
  type PackEntry,
  PackName,
  packWithDefaults,
  STANDARD,
} from './manifest.ts'

/** A pack that can't be used; the message tells the operator why, and what to do. */
export class PackRefused extends Error {
  override readonly name = 'PackRefused'
}

/** A pack and its files. Plain values: threads are started with them. */
export interface PlacedPack extends Pack {
  readonly name: string
  readonly files: PlacedFiles
}

export const STANDARD_NAME = 'standard'

/** The pack whose embedder the standard pack had in earlier versions: data folders of these keep it. */
export const DLIB_NAME = 'dlib'

/** The pack that is used unless another is chosen. */
export const STANDARD_PACK: PlacedPack & typeof STANDARD = {
  ...STANDARD,
  name: STANDARD_NAME,
  files: filesAmong(STANDARD, BUILT_FILES),
}

export const DLIB_PACK: PlacedPack = shippedPack(DLIB_NAME)

/** Where a pack's own files lie in the data folder. */
export const packFolder = (data: string, name: string): string => join(data, 'packs', name)

/** What an added pack's folder has beside its files. */
export const PACK_MANIFEST = 'manifest.json'

/** The tables that `npm run bench -- calibrate` measured at this installation: they go before those of the manifest. */
export const PACK_CALIBRATION = 'calibration.json'

/** The file in the data folder that says which pack is chosen. */
export const CHOICE = 'pack.json'

const ChoiceSchema = z.strictObject({
  pack: PackName,
  /** What the pack embeds with (core/embedding/label.ts). Choices of earlier versions do not say it. */
  embedder: z.string().optional(),
})
export type Choice = z.infer<typeof ChoiceSchema>

/** Every pack, those that are shipped first. Throws PackRefused when something of one can't be read. */
export async function packsOf(data: string): Promise<PlacedPack[]> {
  const added = (await readdir(join(data, 'packs')).catch(() => [])).filter(name => !isShipped(name)).sort()
  const names = [...Object.keys(MANIFEST.packs), ...added.filter(name => PackName.safeParse(name).success)]
  const packs = await Promise.all(names.map(name => packIfThere(data, name)))
  return packs.flatMap(pack => pack ?? [])
}

/** The pack of this name. Throws PackRefused when there is none. */
export async function packNamed(data: string, name: string): Promise<PlacedPack> {
  const pack = PackName.safeParse(name).success ? await packIfThere(data, name) : undefined
  if (!pack)
    throw new PackRefused(`There is no pack "${name}": npm run models -- list shows those that there are.`)
  return pack
}

/** The pack that is chosen in the data folder; undefined where none is. Throws PackRefused when the choice can't be read. */
export async function readChoice(data: string): Promise<Choice | undefined> {
  const path = join(data, CHOICE)
  const choice = await readJson(path)
  if (choice === undefined) return undefined
  const parsed = ChoiceSchema.safeParse(choice)
  if (!parsed.success) throw new PackRefused(`${path} is damaged: npm run models -- use NAME writes it anew.`)
  return parsed.data
}

/** A pack whose scores are known to mean something. */
export type UsablePack = PlacedPack & { embedder: { calibration: Calibrations } }

/** The pack, when its scores are known to mean anything. Throws PackRefused when they are not. */
export function requireUsable(pack: PlacedPack): UsablePack {
  const { calibration } = pack.embedder
  if (calibration) return { ...pack, embedder: { ...pack.embedder, calibration } }
  throw new PackRefused(
    `Nobody has measured yet what the scores of the pack "${pack.name}" mean. ` +
      `npm run bench -- calibrate --pack ${pack.name} --images DIR --update does it.`,
  )
}

/** The table of this name. Throws PackRefused when the pack has none: another would promise something else. */
export function tableOf({ name: pack, embedder }: UsablePack, name: CalibrationName): Calibration {
  const table = embedder.calibration[name]
  if (table) return table
  throw new PackRefused(
    `The pack "${pack}" has no table "${name}". Set MIEN_CALIBRATION=default, or measure one: ` +
      `npm run bench -- calibrate --pack ${pack} --groups DIR --update.`,
  )
}

export const choiceText = (choice: Required<Choice>): string => `${JSON.stringify(choice)}\n`

export const isShipped = (name: string): boolean => Object.hasOwn(MANIFEST.packs, name)

async function packIfThere(data: string, name: string): Promise<PlacedPack | undefined> {
  const manifest = isShipped(name) ? MANIFEST : await addedManifest(data, name)
  const entry = manifest?.packs[name]
  if (!entry) return undefined
  const table =
    (await measuredTable(data, name)) ??
    (entry.embedder ? undefined : await measuredTable(data, STANDARD_NAME))
  return placed(data, name, entry, manifest, table)
}

async function addedManifest(data: string, name: string): Promise<Manifest | undefined> {
  const path = join(packFolder(data, name), PACK_MANIFEST)
  const manifest = await readJson(path)
  if (manifest === undefined) return undefined
  const parsed = ManifestSchema.safeParse(manifest)
  if (!parsed.success) throw new PackRefused(`${path} is damaged: add the pack again.`)
  return parsed.data
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
  const folder = packFolder(data, name)
  const own = Object.entries(files)
    .filter(([, file]) => !('package' in file))
    .map(([file, checked]) => [file, { ...checked, path: join(folder, file) }] as const)
  return {
    ...pack,
    embedder: calibration ? { ...pack.embedder, calibration } : pack.embedder,
    name,
    files: filesAmong(pack, { ...BUILT_FILES, ...Object.fromEntries(own) }),
  }
}

function shippedPack(name: string): PlacedPack {
  const pack = packWithDefaults(MANIFEST.packs[name]!)
  return { ...pack, name, files: filesAmong(pack, BUILT_FILES) }
}

/** Those of the files that the pack's networks are loaded from. */
function filesAmong(pack: Pack, files: PlacedFiles): PlacedFiles {
  return Object.fromEntries(filesOf(pack).flatMap(file => (files[file] ? [[file, files[file]]] : [])))
}

/** The parsed file; undefined when there is none, null when it is no JSON. */
async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
