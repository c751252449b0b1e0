/** Builds the console: bundles `console/` into the files that the edge serves. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

/** Path at which the edge imports the files: their texts by name, as JSON. */
export const CONSOLE_FILES = join(ROOT, 'edge', 'built', 'console.json')

/**
 * Bundles the script and the style sheet, names them by their hashes, and writes them with the page unless the same files
 * are there. `forDebugging` keeps the names of the sources and adds source maps.
 */
export async function buildConsole(forDebugging = false): Promise<void> {
  const text = JSON.stringify(await consoleFiles(forDebugging))
  if (text === (await readFile(CONSOLE_FILES, 'utf8').catch(() => ''))) return
  await mkdir(dirname(CONSOLE_FILES), { recursive: true })
  const draft = `${CONSOLE_FILES}.${process.pid}.tmp`
  await writeFile(draft, text)
  await rename(draft, CONSOLE_FILES)
}

/** Loads esbuild on use: most commands build nothing. */
async function consoleFiles(forDebugging: boolean): Promise<Record<string, string>> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['console/main.tsx'],
    outdir: 'console',
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: !forDebugging,
    sourcemap: forDebugging && 'inline',
    format: 'esm',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    tsconfig: 'console/tsconfig.json',
    write: false,
    logLevel: 'silent',
  })
  const files = Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]))
  const named = (extension: string) => Object.keys(files).find(name => name.endsWith(extension)) ?? ''
  const page = await readFile(join(ROOT, 'console', 'index.html'), 'utf8')
  return { 'index.html': page.replace('main.tsx', named('.js')).replace('main.css', named('.css')), ...files }
}
