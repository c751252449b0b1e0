/** Exports vectors into a portable file: resumed where it was broken off, and at its path only when it is whole. */
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from '../../files/durable.ts'
import type { ListedVector, VectorKey, VectorStore } from '../vector-store.ts'
import { wholeLines } from './file.ts'
import { endLine, headerLine, lineAt, Tally, TransferRefused, vectorLine } from './lines.ts'

export interface ExportSettings {
  /** The file; while it is being written, `<file>.partial`. */
  file: string
  embedder: string
  /** Names the choice that `wants` makes, in the file and for whoever goes on with it. */
  scope: string
  /** Whether this vector is to be in the file. */
  wants(key: VectorKey): boolean
  /** Is told, now and then, how many vectors the file has, and how many there are to look at in all. */
  onProgress?(done: number, total: number): void
}

/** Vectors that are read at once. */
const PAGE = 1_000

/**
 * Writes all vectors that are wanted, galleries by name and ids rising; resolves with their number when they are on
 * disk. What is added or removed meanwhile may be missing or present. Begun before with the same settings, it goes on
 * with what is there. Throws TransferRefused when that is damaged, or is another export's.
 */
export async function exportVectors(store: VectorStore, settings: ExportSettings): Promise<number> {
  const partial = `${settings.file}.partial`
  const header = headerLine(settings)
  const { tally, last, size } = await begun(partial, header)
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

/** The text of each page of vectors that the file does not have yet. */
async function* pages(
  store: VectorStore,
  { wants, onProgress }: ExportSettings,
  tally: Tally,
  last: VectorKey | undefined,
): AsyncIterable<string> {
  const galleries = await store.galleries()
  const total = galleries.reduce((sum, { linear, preindex, indexed }) => sum + linear + preindex + indexed, 0)
  let seen = tally.vectors
  for (const { gallery } of galleries) {
    if (last !== undefined && gallery < last.gallery) continue
    let from: number | undefined = gallery === last?.gallery ? last.id + 1 : 0
    while (from !== undefined) {
      const page = await store.list(gallery, from, PAGE)
      const wanted = page.vectors.filter(({ id }) => wants({ gallery, id }))
      yield linesOf(gallery, wanted, tally)
      seen += page.vectors.length
      onProgress?.(Math.min(seen, total), total)
      from = page.next
    }
  }
}

function linesOf(gallery: string, vectors: readonly ListedVector[], tally: Tally): string {
  const lines = vectors.map(({ id, vector }) => vectorLine({ gallery, id, vector }))
  for (const line of lines) tally.take(line)
  return lines.map(line => `${line}\n`).join('')
}

interface Begun {
  tally: Tally
  /** The last vector that the file has. */
  last: VectorKey | undefined
  /** Bytes of the whole lines before the end; what follows is torn, or the end, which is written anew. */
  size: number
}

/** What an export that was broken off has written. Throws when it was another one, or is damaged. */
async function begun(partial: string, header: string): Promise<Begun> {
  const begun: Begun = { tally: new Tally(), last: undefined, size: 0 }
  for await (const { text, number, end } of wholeLines(partial)) {
    if (number === 1 && text !== header)
      throw new TransferRefused(`${partial} is of another export. Remove it to begin anew.`)
    const entry = number === 1 ? undefined : lineAt(text, number)
    if (entry && 'end' in entry) break
    if (entry) {
      begun.last = { gallery: entry.gallery, id: entry.id }
      begun.tally.take(text)
    }
    begun.size = end
  }
  return begun
}
