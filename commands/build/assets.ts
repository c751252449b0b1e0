/** Builds models, WebAssembly and the console, then the edge worker's bundle and the types of the client. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { IS_RELEASE } from '../../core/files/program-form.ts'
import { replaceFile } from '../../models/files.ts'
import { chosenPack, type PlacedPack, STANDARD_PACK } from '../../models/packs.ts'
import { buildWasm } from '../../wasm/build.ts'
import type { GlobalOptions } from '../terminal/command-line.ts'
import { dataFolder, ROOT } from '../terminal/paths.ts'
import { bundleEdge } from './bundle.ts'
import {
  buildConsole,
  buildPictures,
  buildSamples,
  buildSwaggerUi,
  buildVisionFile,
  isNewer,
} from './edge-files.ts'
import { buildModels } from './models.ts'

/**
 * Builds files that the repository does not contain: ONNX files, ONNX Runtime's WebAssembly for workerd, the store's kernels,
 * and the files that the edge imports or reads. Fast when these exist. A release has them.
 */
export async function buildAssets(
  onProgress: (line: string) => void,
  pack: PlacedPack = STANDARD_PACK,
): Promise<void> {
  if (IS_RELEASE) return
  await buildWasm()
  await buildModels({ onProgress: ({ file, built }) => built && onProgress(`Built models/built/${file}`) })
  await buildVisionFile(pack)
  await buildConsole()
  await buildSamples()
  await buildPictures()
  await buildSwaggerUi()
}

/** Path of the OpenAPI document of v1, which has every operation and parameter. */
export const DOCUMENT_PATH = join(ROOT, 'docs', 'openapi', 'v1.json')

/** Writes the types of the TypeScript client from the OpenAPI document, unless they are newer than it. */
export async function buildClientTypes(): Promise<void> {
  const path = join(ROOT, 'clients', 'typescript', 'src', 'schema.ts')
  if (await isNewer(path, [DOCUMENT_PATH])) return
  const { default: openapiTypes, astToString } = await import('openapi-typescript')
  const types = astToString(await openapiTypes(await readFile(DOCUMENT_PATH, 'utf8')))
  await replaceFile(path, `/** Types of the API, built from docs/openapi/v1.json. */\n\n${types}`)
}

export interface BuildOptions extends GlobalOptions {
  /** Builds the assets only, with the chosen pack. */
  assets?: boolean
}

/** Builds the assets, the edge's bundle and the types of the client. Throws in a release. */
export async function build({ assets, data }: BuildOptions): Promise<number> {
  if (IS_RELEASE)
    throw new Error(
      'A release has everything that this command builds. Use the repository to build something else.',
    )
  // wrangler.toml's build command needs only the assets: wrangler makes the bundle itself, perhaps to deploy it. The
  // assets are of the pack that core uses.
  const pack = assets ? await chosenPack(dataFolder(data), process.env.MIEN_PACK) : STANDARD_PACK
  await buildAssets(line => console.log(line), pack)
  if (assets) return 0
  await bundleEdge()
  await buildClientTypes()
  return 0
}
