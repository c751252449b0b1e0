/** Builds the files that the edge imports: the console, sample photos, and the networks of a pack. */
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { embedderLabel } from '../../core/embedding/label.ts'
import { ignoreCode } from '../../core/files/inspect.ts'
import { readerOf } from '../../models/files.ts'
import type { PlacedPack } from '../../models/packs.ts'
import { encodeVisionFile } from '../../models/vision-file.ts'

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

const FOLDER = join(ROOT, 'edge', 'built')
const DEMO = join(ROOT, 'node_modules', '@vladmandic', 'face-api', 'demo')

/** One person is on the first two photos. edge/worker.ts imports the same names. */
const SAMPLES = ['sample1.jpg', 'sample3.jpg', 'sample4.jpg']

/** About 70 kB a photo. At 800 pixels the confidence of the person on both falls below `strict`. */
const WIDTH = 1120
const QUALITY = 70

/** File extension of the photos among the modules of the worker. */
export const PHOTO_EXTENSION = '.jpg'

/** Writes the photos at which the edge imports them, where they are missing or older than their source and this file. */
export async function buildSamples(): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  for (const name of SAMPLES) {
    const source = join(DEMO, name)
    const path = join(FOLDER, name)
    if (await isNewer(path, [source, import.meta.filename])) continue
    // Loaded on use: most starts resize nothing.
    const { default: sharp } = await import('sharp')
    const draft = `${path}.${process.pid}.tmp`
    await sharp(source).resize({ width: WIDTH }).jpeg({ quality: QUALITY, mozjpeg: true }).toFile(draft)
    await rename(draft, path)
  }
}

async function isNewer(path: string, sources: readonly string[]): Promise<boolean> {
  const modified = async (file: string) => (await stat(file)).mtimeMs
  const built = await modified(path).catch(ignoreCode('ENOENT'))
  if (built === undefined) return false
  return built > Math.max(...(await Promise.all(sources.map(modified))))
}

/** Path at which the bundler imports it. */
const VISION_FILE = join(import.meta.dirname, '..', '..', 'edge', 'built', 'pack.vision')

/** File extension of vision files. */
export const VISION_FILE_EXTENSION = '.vision'

export const visionFileOf = (pack: PlacedPack): Promise<Uint8Array<ArrayBuffer>> =>
  encodeVisionFile(pack, embedderLabel(pack), pack.files, readerOf(pack.files))

/** Writes the pack's vision file for the bundler, unless the same bytes are there. */
export async function buildVisionFile(pack: PlacedPack): Promise<void> {
  const bytes = await visionFileOf(pack)
  const current = await readFile(VISION_FILE).catch(() => undefined)
  if (current?.equals(bytes)) return
  await mkdir(dirname(VISION_FILE), { recursive: true })
  const draft = `${VISION_FILE}.${process.pid}.tmp`
  await writeFile(draft, bytes)
  await rename(draft, VISION_FILE)
}
