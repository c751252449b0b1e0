/** Builds the sample photos of the console: photos of an installed package, smaller. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

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

/** Writes the photos at which the edge imports them, unless the same bytes are there. Loads sharp on use. */
export async function buildSamples(): Promise<void> {
  const { default: sharp } = await import('sharp')
  await mkdir(FOLDER, { recursive: true })
  for (const name of SAMPLES) {
    const photo = sharp(join(DEMO, name)).resize({ width: WIDTH })
    const bytes = await photo.jpeg({ quality: QUALITY, mozjpeg: true }).toBuffer()
    const path = join(FOLDER, name)
    const current = await readFile(path).catch(() => undefined)
    if (current?.equals(bytes)) continue
    const draft = `${path}.${process.pid}.tmp`
    await writeFile(draft, bytes)
    await rename(draft, path)
  }
}
