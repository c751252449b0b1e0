/** `mien models add`: checks the operator's own packs, runs their networks on a blank picture, and copies them into the data folder. */
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import * as z from 'zod'
import { sha256 } from '../../contract/digest.ts'
import { PACK_LIMITS } from '../../contract/limits/packs.ts'
import { pathBelow } from '../../contract/stored-path.ts'
import { openSession } from '../../core/embedding/chip-pool.ts'
import { readNumbers } from '../../core/embedding/embed-batch.ts'
import { makeFolder, syncFolder, writeWhole } from '../../core/files/durable.ts'
import { ignoreCode } from '../../core/files/inspect.ts'
import { FileName, filesOf } from '../../models/file-entry.ts'
import { BUILT_FILES, type PlacedFile, readerOf } from '../../models/files.ts'
import { inputLength } from '../../models/input.ts'
import {
  type DetectorModel,
  embedderSide,
  ManifestSchema,
  type ModelInput,
  type Pack,
  type PackEntry,
  PackName,
  PackSchema,
  packWithDefaults,
  type ReadModel,
} from '../../models/manifest.ts'
import { isShipped, PACK_MANIFEST, packFolder } from '../../models/packs.ts'
import { ONET_SIDE } from '../../wasm/detectors/mtcnn/onet.ts'
import { bytesIn, isInFolder } from '../terminal/bounded-file.ts'
import { jsonIn } from '../terminal/command-line.ts'
import { pathOf } from '../terminal/paths.ts'
import type { ModelsCommand } from './list.ts'

/** The operator's description: a manifest whose files are in its folder, at paths relative to it. */
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

const UNMEASURED = (name: string) =>
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
    // The description may come from another person: it must not name the operator's other files.
    if (!(await isInFolder(path, folder)))
      throw new Error(
        `The pack "${name}" names ${path}, which is outside of ${folder}. Copy the file beside the description.`,
      )
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
) {
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
  const manifest = ManifestSchema.parse({ files: checksOf(found), packs: { [name]: entry } })
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await writeWhole(join(draft, PACK_MANIFEST), Buffer.from(text), draft)
  await syncFolder(draft)
  await rename(draft, folder)
  await syncFolder(dirname(folder))
}

const checksOf = (found: Readonly<Record<string, PlacedFile>>) =>
  Object.fromEntries(
    Object.entries(found).map(([file, { licence, sha256, bytes }]) => [file, { licence, sha256, bytes }]),
  )

function requireRoomAtEdge(names: readonly string[], files: Readonly<Record<string, PlacedFile>>) {
  const bytes = names.reduce((sum, file) => sum + (files[file]?.bytes ?? 0), 0)
  if (bytes <= PACK_LIMITS.edgeModelBytes) return
  throw new Error(
    `Detector and landmarks have ${bytes} bytes, and the edge has room for ${PACK_LIMITS.edgeModelBytes} beside photos.`,
  )
}

/** Side in pixels of the test picture for detectors that accept any size. */
const TRIAL_SIDE = 256

/** A test of a network: its file, its input, and the expected length of each output. */
interface Trial {
  file: string
  input: ModelInput
  side: number
  pictures: number
  lengths: Record<string, number>
  /** False: the network must run in WASM, as at the edge. */
  native: boolean
}

/** Tests all networks. Throws an Error for the operator that names the file with the wrong network. */
async function tryNetworks(pack: Pack, read: ReadModel) {
  await readNumbers(pack.embedder, read)
  for (const trial of trialsOf(pack)) {
    await tryOut(trial, read).catch(cause => {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new Error(`${trial.file} is not the network that the manifest describes: ${reason}`, { cause })
    })
  }
}

function trialsOf({ detector, landmarks, embedder, attributes }: Pack): Trial[] {
  const { ageGender, emotion } = attributes
  const one = { pictures: 1, native: true }
  return [
    { ...one, native: false, ...detector, ...detectorTrial(detector) },
    { ...one, native: false, ...landmarks, side: ONET_SIDE, lengths: { scores: 1, boxes: 4, points: 10 } },
    ...embedder.networks.flatMap(network =>
      // Networks that accept batches are also tested with two pictures.
      [1, ...(network.single ? [] : [2])].map(pictures => ({
        ...one,
        ...network,
        pictures,
        side: embedderSide(embedder.chip),
        lengths: { [network.output]: pictures * network.dimension },
      })),
    ),
    {
      ...one,
      ...ageGender,
      side: ageGender.size,
      lengths: { [ageGender.outputs.age]: 1, [ageGender.outputs.gender]: ageGender.genders.length },
    },
    { ...one, ...emotion, side: emotion.size, lengths: { [emotion.output]: emotion.emotions.length } },
  ]
}

function detectorTrial(detector: DetectorModel): Pick<Trial, 'side' | 'lengths'> {
  if (detector.kind === 'blazeface') return { side: TRIAL_SIDE, lengths: {} }
  const side = detector.fixed ? detector.side : TRIAL_SIDE
  const heads = Object.entries({ cls: 1, obj: 1, bbox: 4, kps: 10 })
  const lengths = [8, 16, 32].flatMap(stride =>
    heads.map(([head, values]) => [`${head}_${stride}`, values * (side / stride) ** 2] as const),
  )
  return { side, lengths: Object.fromEntries(lengths) }
}

async function tryOut({ file, input, side, pictures, lengths, native }: Trial, read: ReadModel) {
  const session = await openSession(await read(file), { native })
  const data = new Float32Array(pictures * inputLength(side, side)).fill(0.5)
  const outputs = await session.run({ [input.name]: { data, dims: [pictures, 3, side, side] } })
  for (const [name, length] of Object.entries(lengths)) {
    const output = outputs[name]
    if (!output) throw new Error(`it has no output "${name}", but ${Object.keys(outputs).join(', ')}.`)
    if (output.length !== length)
      throw new Error(`its output "${name}" has ${output.length} numbers, not ${length}.`)
    if (!output.every(Number.isFinite)) throw new Error(`its output "${name}" has numbers without an end.`)
  }
}
