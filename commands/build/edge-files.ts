/** Builds the files that the edge imports or reads: the console, Swagger UI, sample photos, and the networks of a pack. */
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { chipLabel } from '../../core/embedding/label.ts'
import { ignoreCode } from '../../core/files/inspect.ts'
import { readerOf, replaceFile } from '../../models/files.ts'
import type { ReadModel } from '../../models/manifest.ts'
import type { PlacedPack } from '../../models/packs.ts'
import { encodeVisionFile } from '../../models/vision-file.ts'
import { ROOT } from '../terminal/paths.ts'

/** Folder of the files that the edge imports. */
const FOLDER = join(ROOT, 'edge', 'built')

/** Path at which the edge imports the files of the console: their texts by name, as JSON. */
export const CONSOLE_FILES = join(FOLDER, 'console.json')

/**
 * Bundles the script and the style sheet, names them by their hashes, and writes them with the page unless the same files
 * are there. `forDebugging` keeps the names of the sources and adds source maps.
 */
export async function buildConsole(forDebugging = false): Promise<void> {
  await updateFile(CONSOLE_FILES, Buffer.from(JSON.stringify(await consoleFiles(forDebugging))))
}

/** Writes a file unless it has these bytes. */
async function updateFile(path: string, bytes: Uint8Array) {
  const current = await readFile(path).catch(() => undefined)
  if (current?.equals(bytes)) return
  await mkdir(dirname(path), { recursive: true })
  await replaceFile(path, bytes)
}

/** Loads esbuild on use: most commands build nothing. */
async function consoleFiles(forDebugging: boolean): Promise<Record<string, string>> {
  const { build } = await import('esbuild')
  const filesOf = async (entryPoints: string[], entryNames: string): Promise<[string, string][]> => {
    const { outputFiles } = await build({
      absWorkingDir: ROOT,
      entryPoints,
      outdir: 'console',
      entryNames,
      bundle: true,
      minify: !forDebugging,
      sourcemap: forDebugging && 'inline',
      format: 'esm',
      target: ['chrome123', 'firefox120', 'safari17.5'],
      tsconfig: 'console/tsconfig.json',
      write: false,
      logLevel: 'silent',
    })
    return outputFiles.map(({ path, text }) => [basename(path), text])
  }
  const files = Object.fromEntries(await filesOf(['console/main.tsx', 'console/theme.ts'], '[name]-[hash]'))
  // A browser looks for another version of the worker at the same address.
  const worker = Object.fromEntries(await filesOf(['console/service-worker.ts'], '[name]'))
  const page = await readFile(join(ROOT, 'console', 'index.html'), 'utf8')
  // Each file of the page has its hash between its name and its extension.
  const named = page.replace(/(?<=console\/)(\w+)\.(\w+)(?=")/g, (_, name: string, extension: string) => {
    const built = `.${extension.replace(/^tsx?$/, 'js')}`
    return Object.keys(files).find(file => file.startsWith(`${name}-`) && file.endsWith(built)) ?? ''
  })
  return { 'index.html': named, ...files, ...worker, ...(await documentation()) }
}

/** The pages of the documentation, which the console shows as help. */
async function documentation(): Promise<Record<string, string>> {
  const names = (await readdir(DOCS)).filter(name => name.endsWith('.md')).sort()
  return Object.fromEntries(
    await Promise.all(names.map(async name => [name, await readFile(join(DOCS, name), 'utf8')] as const)),
  )
}

const DOCS = join(ROOT, 'docs')

/** Writes the pictures of the documentation among the static assets, unless the same bytes are there. */
export async function buildPictures(): Promise<void> {
  const folder = join(DOCS, 'pictures')
  for (const name of await readdir(folder))
    if (name.endsWith('.webp')) await updateFile(join(EDGE_ASSETS, name), await readFile(join(folder, name)))
}

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
    const jpeg = sharp(source).resize({ width: WIDTH }).jpeg({ quality: QUALITY, mozjpeg: true })
    await replaceFile(path, await jpeg.toBuffer())
  }
}

/** Whether a file exists and was changed after each of the sources. */
export async function isNewer(path: string, sources: readonly string[]): Promise<boolean> {
  const modified = async (file: string) => (await stat(file)).mtimeMs
  const built = await modified(path).catch(ignoreCode('ENOENT'))
  if (built === undefined) return false
  return built > Math.max(...(await Promise.all(sources.map(modified))))
}

/** File extension of vision files. */
export const VISION_FILE_EXTENSION = '.vision'

export const visionFileOf = (
  pack: PlacedPack,
  read: ReadModel = readerOf(pack.files),
): Promise<Uint8Array<ArrayBuffer>> => encodeVisionFile(pack, chipLabel(pack), pack.files, read)

/** The vision file of a deployment: without the liveness network, which is among the static assets. */
export const bundledVisionFileOf = (pack: PlacedPack, read = readerOf(pack.files)) =>
  visionFileOf(pack, async file => (file === pack.liveness.file ? new Uint8Array() : read(file)))

/** Folder of the static assets, which do not count in the size of a deployed worker. */
export const EDGE_ASSETS = join(FOLDER, 'assets')

/** Writes Swagger UI's script and style sheet among the static assets, unless the same bytes are there. */
export async function buildSwaggerUi(): Promise<void> {
  const source = join(ROOT, 'node_modules', 'swagger-ui-dist')
  for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css'])
    await updateFile(join(EDGE_ASSETS, file), await readFile(join(source, file)))
}

/** Writes the pack's vision file for the bundler, and its static asset, unless the same bytes are there. */
export async function buildVisionFile(pack: PlacedPack): Promise<void> {
  const { file } = pack.liveness
  await updateFile(join(EDGE_ASSETS, file), await readerOf(pack.files)(file))
  await updateFile(join(FOLDER, 'pack.vision'), await bundledVisionFileOf(pack))
}
