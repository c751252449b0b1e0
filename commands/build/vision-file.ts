/** The eyes file that the edge's bundle carries: of the standard pack in the bundle, of the chosen one where it runs. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { embedderLabel } from '../../core/embedding/label.ts'
import { readerOf } from '../../models/files.ts'
import type { PlacedPack } from '../../models/packs.ts'
import { encodeVisionFile } from '../../models/vision-file.ts'

/** Where the bundler finds it. */
const VISION_FILE = join(import.meta.dirname, '..', '..', 'edge', 'built', 'pack.vision')

/** What files of this kind end in. */
export const VISION_FILE_EXTENSION = '.vision'

export const visionFileOf = (pack: PlacedPack): Promise<Uint8Array<ArrayBuffer>> =>
  encodeVisionFile(pack, embedderLabel(pack), pack.files, readerOf(pack.files))

/** Writes the pack's eyes to where the bundler finds them, unless they are there already, byte for byte. */
export async function buildVisionFile(pack: PlacedPack): Promise<void> {
  const bytes = await visionFileOf(pack)
  const current = await readFile(VISION_FILE).catch(() => undefined)
  if (current?.equals(bytes)) return
  await mkdir(dirname(VISION_FILE), { recursive: true })
  const draft = `${VISION_FILE}.${process.pid}.tmp`
  await writeFile(draft, bytes)
  await rename(draft, VISION_FILE)
}
