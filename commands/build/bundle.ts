/** Builds the edge worker's bundle as a deployment does, only when its sources have changed. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs, { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import type { BuildOptions } from 'esbuild'
import { IS_RELEASE } from '../../core/files/program-form.ts'
import { STANDARD_NAME } from '../../models/packs.ts'
import { ROOT } from '../terminal/paths.ts'

/** Folder of the bundled worker: worker.js and the modules that it imports. */
export const BUNDLE = join(ROOT, 'dist', 'edge')

/** Compatibility date of the Workers runtime. wrangler.toml has the same date. */
export const COMPATIBILITY_DATE = '2026-06-01'

/** Options of esbuild that make a module for workerd in memory, with the conditions of wrangler. */
export const WORKER_MODULE = {
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2024',
  platform: 'browser',
  conditions: ['workerd', 'worker', 'browser'],
  logLevel: 'silent',
} satisfies BuildOptions

/** File with the hash of the sources of the bundle. */
const STAMP_FILE = join(BUNDLE, 'sources.sha256')

/** All files that the bundle contains or that affect its build. */
const SOURCES = [
  'edge/**/*.ts',
  'edge/built/*.jpg',
  'console/**/*.{ts,tsx,css,html,json}',
  'docs/*.md',
  'clients/typescript/src/**/*.ts',
  'wasm/**/*.{ts,wasm}',
  'models/**/*.{ts,json}',
  'contract/**/*.ts',
  'wrangler.toml',
  'package.json',
  'package-lock.json',
]

/** Builds the bundle unless it is current, or part of a release. The finished folder replaces the old one by a rename. */
export async function bundleEdge(): Promise<void> {
  if (IS_RELEASE) return
  const sources = await hashOfSources()
  if (sources === (await readFile(STAMP_FILE, 'utf8').catch(() => ''))) return
  const fresh = `${BUNDLE}.${process.pid}`
  const wrangler = join(ROOT, 'node_modules', 'wrangler', 'bin', 'wrangler.js')
  // Explicit, because wrangler would prefer a wrangler.json in a folder above the project.
  const args = ['deploy', '--config', join(ROOT, 'wrangler.toml'), '--dry-run', '--outdir', fresh]
  await runQuietly(
    'The edge worker could not be bundled',
    [process.execPath, wrangler, ...args],
    wranglerEnv(),
  )
  await writeFile(join(fresh, 'sources.sha256'), sources)
  await rm(BUNDLE, { recursive: true, force: true })
  await rename(fresh, BUNDLE)
}

async function hashOfSources() {
  const files: string[] = []
  // Not imported by name: Node 20, which runs releases, has no `glob`.
  for await (const file of fs.glob(SOURCES, { cwd: ROOT })) files.push(file)
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(`${file}\n`).update(await readFile(join(ROOT, file)))
  return hash.digest('hex')
}

/** Environment of wrangler. */
const wranglerEnv = () => ({
  // Wrangler keeps its files in the project, sends no metrics and makes no lookups.
  XDG_CONFIG_HOME: join(ROOT, 'dist', 'wrangler'),
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  // The server of the bundle replaces its vision file by the vision file of the chosen pack.
  MIEN_PACK: STANDARD_NAME,
  // wrangler.toml's build command calls `node`: it is the Node that runs this process.
  PATH: [dirname(process.execPath), process.env.PATH].filter(part => part).join(delimiter),
})

/** Runs a program in the project's folder. Rejects with `problem` and its output when it fails. */
export async function runQuietly(
  problem: string,
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  const code = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject))
  if (code !== 0) throw new Error(`${problem}:\n${output}`)
}
