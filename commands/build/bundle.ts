/** The edge worker's bundle: made exactly as a deployment makes it, and only when something in it has changed. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { STANDARD_NAME } from '../../models/packs.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** Where the bundled worker lies: worker.js and the modules that it imports. */
export const BUNDLE = join(ROOT, 'dist', 'edge')

/** What the Workers runtime is asked to behave like. wrangler.toml says the same to deployments. */
export const COMPATIBILITY_DATE = '2026-06-01'

/** Holds the hash of the sources that the bundle was made from. */
const STAMP = join(BUNDLE, 'sources.sha256')

/** Everything that can end up in the bundle, or that decides how it is made. */
const SOURCES = [
  'edge/**/*.ts',
  'wasm/**/*.{ts,wasm}',
  'models/**/*.{ts,json}',
  'core/contract/**/*.ts',
  'wrangler.toml',
  'package-lock.json',
]

/** Whoever serves the bundle puts the eyes of the chosen pack into it: it is made with those that are always there. */
const EYES_OF_BUNDLE = { MIEN_PACK: STANDARD_NAME }

/** Wrangler keeps its files in the project, reports nothing and looks nothing up outside. */
export const quietWrangler = {
  XDG_CONFIG_HOME: join(ROOT, 'dist', 'wrangler'),
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}

/** Makes the bundle unless it is there and current. The finished folder takes its place at once. */
export async function bundleEdge(): Promise<void> {
  const sources = await hashOfSources()
  if (sources === (await readFile(STAMP, 'utf8').catch(() => ''))) return
  const fresh = `${BUNDLE}.${process.pid}`
  // Named: wrangler would prefer a wrangler.json of any folder above the project.
  await wrangler(['deploy', '--config', join(ROOT, 'wrangler.toml'), '--dry-run', '--outdir', fresh])
  await writeFile(join(fresh, 'sources.sha256'), sources)
  await rm(BUNDLE, { recursive: true, force: true })
  await rename(fresh, BUNDLE)
}

async function hashOfSources(): Promise<string> {
  const files: string[] = []
  for await (const file of glob(SOURCES, { cwd: ROOT })) files.push(file)
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(`${file}\n`).update(await readFile(join(ROOT, file)))
  return hash.digest('hex')
}

/** wrangler.toml's build command calls `node`: it gets the one that runs this process. */
const nodeFirst = (): { PATH: string } => ({
  PATH: [dirname(process.execPath), process.env.PATH].filter(part => part).join(delimiter),
})

/** Runs wrangler in the project's folder. Rejects with its output when it fails. */
async function wrangler(args: string[]): Promise<void> {
  const script = join(ROOT, 'node_modules', 'wrangler', 'bin', 'wrangler.js')
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...quietWrangler, ...EYES_OF_BUNDLE, ...nodeFirst() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  const code = await new Promise(resolve => child.once('close', resolve))
  if (code !== 0) throw new Error(`The edge worker could not be bundled:\n${output}`)
}
