/** `mien models add`: checks the operator's own packs and copies them into the data folder. */
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import * as z from 'zod'
import { sha256 } from '../../contract/digest.ts'
import { PACK_LIMITS } from '../../contract/limits/packs.ts'
import { pathBelow } from '../../contract/stored-path.ts'
import { makeFolder, syncFolder, writeWhole } from '../../core/files/durable.ts'
import { ignoreCode } from '../../core/files/inspect.ts'
import { FileName, filesOf } from '../../models/file-entry.ts'
import { BUILT_FILES, type PlacedFile, readerOf } from '../../models/files.ts'
import {
  type Manifest,
  ManifestSchema,
  type PackEntry,
  PackName,
  PackSchema,
  packWithDefaults,
} from '../../models/manifest.ts'
import { isShipped, PACK_MANIFEST, packFolder } from '../../models/packs.ts'
import { bytesIn } from '../terminal/bounded-file.ts'
import { jsonIn } from '../terminal/command-line.ts'
import { pathOf } from '../terminal/paths.ts'
import type { ModelsCommand } from './list.ts'
import { tryNetworks } from './try-networks.ts'

/** The operator's description: a manifest whose files have paths relative to it. */
const DescriptionSchema = z.strictObject({
  files: z.record(FileName, z.strictObject({ path: z.string().optional(), licence: z.string().min(1) })),
  packs: z.record(PackName, PackSchema),
})

export const add: ModelsCommand = async ({ data, subjects }) => {
  for (const subject of subjects) {
    const path = pathOf(subject)
    const { files, packs } = await descriptionIn(path)
    for (const [name, entry] of Object.entries(packs)) {
      const found = await findFiles(name, entry, files, dirname(path))
      await addPack(data, name, entry, found)
      console.log(
        `The pack "${name}" is added.${packWithDefaults(entry).embedder.calibration ? '' : UNMEASURED(name)}`,
      )
    }
  }
  return 0
}

const UNMEASURED = (name: string): string =>
  ` What its scores mean has to be measured, in the repository: npm run bench -- calibrate --pack ${name} --images DIR --update`

/** Longest description of packs. */
const DESCRIPTION_BYTES = 2 ** 20

async function descriptionIn(path: string): Promise<z.infer<typeof DescriptionSchema>> {
  const file = await open(path).catch(ignoreCode('ENOENT'))
  if (!file) throw new Error(`There is no ${path}.`)
  const text = new TextDecoder().decode(await bytesIn(file, DESCRIPTION_BYTES))
  const parsed = DescriptionSchema.safeParse(jsonIn(text))
  if (!parsed.success) throw new Error(`${path} describes no packs:\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}

/** The files that the pack needs, at their present paths, with hash and size. */
async function findFiles(
  name: string,
  entry: PackEntry,
  files: z.infer<typeof DescriptionSchema>['files'],
  folder: string,
): Promise<Record<string, PlacedFile>> {
  const found: Record<string, PlacedFile> = {}
  for (const file of filesOf(entry)) {
    if (Object.hasOwn(BUILT_FILES, file))
      throw new Error(`${file} is the name of one of the standard models: give yours another.`)
    const described = Object.hasOwn(files, file) ? files[file] : undefined
    if (!described) throw new Error(`The pack "${name}" names ${file}, which is not among the files.`)
    const path = resolve(folder, described.path ?? file)
    const there = await stat(path).catch(ignoreCode('ENOENT'))
    // A device would have no end.
    if (!there?.isFile()) throw new Error(`There is no file ${path}.`)
    const bytes = there.size
    if (bytes > PACK_LIMITS.modelBytes)
      throw new Error(`${path} has more than ${PACK_LIMITS.modelBytes} bytes.`)
    const hash = await sha256(new Uint8Array(await readFile(path)))
    found[file] = { licence: described.licence, sha256: hash, bytes, path }
  }
  return found
}

/** Tests the pack's networks and copies the pack. The rename makes the copy atomic. */
async function addPack(
  data: string,
  name: string,
  entry: PackEntry,
  found: Readonly<Record<string, PlacedFile>>,
): Promise<void> {
  const folder = packFolder(data, name)
  if (isShipped(name)) throw new Error(`"${name}" is a pack of Mien itself: give yours another name.`)
  if (await stat(folder).catch(ignoreCode('ENOENT')))
    throw new Error(`The pack "${name}" exists already, in ${folder}.`)
  const pack = packWithDefaults(entry)
  const read = readerOf({ ...BUILT_FILES, ...found })
  requireRoomAtEdge(filesOf({ ...pack, embedder: {}, attributes: {} }), { ...BUILT_FILES, ...found })
  await tryNetworks(pack, read)

  const draft = join(dirname(folder), `.${name}.adding`)
  await rm(draft, { recursive: true, force: true })
  await makeFolder(draft)
  for (const file of Object.keys(found)) await writeWhole(pathBelow(draft, file), await read(file), draft)
  const manifest: Manifest = ManifestSchema.parse({ files: checksOf(found), packs: { [name]: entry } })
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await writeWhole(join(draft, PACK_MANIFEST), new TextEncoder().encode(text), draft)
  await syncFolder(draft)
  await rename(draft, folder)
  await syncFolder(dirname(folder))
}

const checksOf = (found: Readonly<Record<string, PlacedFile>>) =>
  Object.fromEntries(
    Object.entries(found).map(([file, { licence, sha256, bytes }]) => [file, { licence, sha256, bytes }]),
  )

function requireRoomAtEdge(names: readonly string[], files: Readonly<Record<string, PlacedFile>>): void {
  const bytes = names.reduce((sum, file) => sum + (files[file]?.bytes ?? 0), 0)
  if (bytes <= PACK_LIMITS.edgeModelBytes) return
  throw new Error(
    `Detector and landmarks have ${bytes} bytes, and the edge has room for ${PACK_LIMITS.edgeModelBytes} beside photos.`,
  )
}
