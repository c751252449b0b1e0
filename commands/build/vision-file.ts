/** The eyes file that the edge's bundle carries: of the standard pack in the bundle, of the chosen one where it runs. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { embedderLabel } from '../../core/embedding/label.ts'
import { readerOf } from '../../models/files.ts'
import type { PlacedPack } from '../../models/packs.ts'
import { encodeEyes } from '../../models/vision-file.ts'

/** Where the bundler finds it. */
const EYES = join(import.meta.dirname, '..', '..', 'edge', 'built', 'pack.eyes')

/** What files of this kind end in. */
export const EYES_ENDING = '.eyes'

export const eyesOf = (pack: PlacedPack): Promise<Uint8Array<ArrayBuffer>> =>
  encodeEyes(pack, embedderLabel(pack), pack.files, readerOf(pack.files))

/** Writes the pack's eyes to where the bundler finds them, unless they are there already, byte for byte. */
export async function buildEyes(pack: PlacedPack): Promise<void> {
  const bytes = await eyesOf(pack)
  const current = await readFile(EYES).catch(() => undefined)
  if (current?.equals(bytes)) return
  await mkdir(dirname(EYES), { recursive: true })
  const draft = `${EYES}.${process.pid}.tmp`
  await writeFile(draft, bytes)
  await rename(draft, EYES)
}
