/** Builds the sample photos of the console: photos of an installed package, smaller. */
import { mkdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreCode } from '../../core/files/inspect.ts'

const ROOT = join(import.meta.dirname, '..', '..')
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
