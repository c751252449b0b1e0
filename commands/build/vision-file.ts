/** Builds the vision file of the edge bundle: the networks of a pack that the edge runs. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { embedderLabel } from '../../core/embedding/label.ts'
import { readerOf } from '../../models/files.ts'
import type { PlacedPack } from '../../models/packs.ts'
import { encodeVisionFile } from '../../models/vision-file.ts'

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
