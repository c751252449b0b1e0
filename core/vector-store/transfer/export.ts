/** Exports vectors into a portable file: resumes an interrupted export, and renames the file when it is complete. */
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from '../../files/durable.ts'
import type { ListedVector, VectorKey, VectorStore } from '../vector-store.ts'
import { endLine, headerLine, lineAt, Tally, TransferRefused, vectorLine, wholeLines } from './lines.ts'

interface ExportSettings {
  /** Path of the complete file. The incomplete file is `<file>.partial`. */
  file: string
  embedder: string
  /** The only gallery to export. Default: all. An export resumes only with the same gallery. */
  gallery?: string
  /** Called after each page: number of visited vectors, and of all vectors. */
  onProgress?(done: number, total: number): void
}

type ExportedStore = Pick<VectorStore, 'galleries' | 'list'>

/** Vectors per page. */
const VECTORS_PER_PAGE = 1_000

/**
 * Writes all vectors, by gallery name and rising id; resolves with their number when they are durable. Vectors that are added or
 * removed during the export may be missing or present. Resumes an interrupted export with the same settings. Throws TransferRefused
 * when the incomplete file is damaged or belongs to another export.
 */
export async function exportVectors(store: ExportedStore, settings: ExportSettings): Promise<number> {
  const partial = `${settings.file}.partial`
  const scope = `gallery ${settings.gallery ?? 'any'}, cells all`
  const header = headerLine({ embedder: settings.embedder, scope })
  const { tally, last, size } = await readPartial(partial, header)
  const out = await open(partial, 'a', 0o600)
  try {
    await out.truncate(size)
    if (size === 0) await out.appendFile(`${header}\n`)
    for await (const text of pages(store, settings, tally, last)) await out.appendFile(text)
    await out.appendFile(`${endLine(tally)}\n`)
    await out.sync()
  } finally {
    await out.close()
  }
  await rename(partial, settings.file)
  await syncFolder(dirname(settings.file))
  return tally.vectors
}

/** Text of each page of vectors that the file does not have yet. */
async function* pages(
  store: ExportedStore,
  { gallery: only, onProgress }: ExportSettings,
  tally: Tally,
  last: VectorKey | undefined,
): AsyncIterable<string> {
  const galleries = (await store.galleries()).filter(({ gallery }) => only === undefined || gallery === only)
  const total = galleries.reduce((sum, { linear, preindex, indexed }) => sum + linear + preindex + indexed, 0)
  let seen = tally.vectors
  for (const { gallery } of galleries) {
    if (last !== undefined && gallery < last.gallery) continue
    let from: number | undefined = gallery === last?.gallery ? last.id + 1 : 0
    while (from !== undefined) {
      const page = await store.list(gallery, from, VECTORS_PER_PAGE)
      yield linesOf(gallery, page.vectors, tally)
      seen += page.vectors.length
      onProgress?.(Math.min(seen, total), total)
      from = page.next
    }
  }
}

function linesOf(gallery: string, vectors: readonly ListedVector[], tally: Tally) {
  const lines = vectors.map(({ id, vector }) => vectorLine({ gallery, id, vector }))
  for (const line of lines) tally.take(line)
  return lines.map(line => `${line}\n`).join('')
}

interface PartialExport {
  tally: Tally
  /** Last vector in the file. */
  last: VectorKey | undefined
  /** Bytes of the whole lines before the end line. The rest is an incomplete line or the end line, and is written again. */
  size: number
}

/** State of an interrupted export. Throws TransferRefused when its file is damaged or belongs to another export. */
async function readPartial(partial: string, header: string): Promise<PartialExport> {
  const found: PartialExport = { tally: new Tally(), last: undefined, size: 0 }
  for await (const { text, number, end } of wholeLines(partial)) {
    if (number === 1 && text !== header)
      throw new TransferRefused(`${partial} is of another export. Remove it to start over.`)
    const entry = number === 1 ? undefined : lineAt(text, number)
    if (entry && 'end' in entry) break
    if (entry) {
      found.last = { gallery: entry.gallery, id: entry.id }
      found.tally.take(text)
    }
    found.size = end
  }
  return found
}
