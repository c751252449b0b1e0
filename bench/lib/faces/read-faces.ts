/** Reads the faces of many pictures: embedding, estimated age and gender, with an optional cache between runs. */
import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openEstimator } from '#core/embedding/estimator.ts'
import { embedderLabel } from '#core/embedding/label.ts'
import type { PlacedPack } from '#models/packs.ts'
import { embedPictures } from './embed-pictures.ts'

export interface ReadFace {
  /** Unit embedding. */
  readonly unit: Float32Array
  /** Age as our network estimates it. */
  readonly age: number
  readonly female: boolean
}

/** A line of a cache file; `face` is absent when none was found. */
interface Line {
  path: string
  face?: { unit: string; age: number; female: boolean }
}

/** The cache option of benchmarks that read many pictures. */
export const CACHE_OPTION = { cache: { type: 'string' } } as const

/**
 * The central face of each picture; undefined when none is found. `cache` is a folder that keeps results by embedder
 * and detector. Delete it after a change of the code that finds or aligns faces.
 */
export async function readFaces(
  paths: readonly string[],
  pack: PlacedPack,
  cache: string | undefined,
  onProgress: (done: number, total: number) => void,
): Promise<Map<string, ReadFace | undefined>> {
  const file = cache && join(cache, `${fileName(pack)}.jsonl`)
  if (cache) await mkdir(cache, { recursive: true })
  const known = file ? await linesOf(file) : new Map<string, Line>()
  const missing = paths.filter(path => !known.has(path))
  if (missing.length > 0) {
    const estimator = await openEstimator({ pack })
    const add = async (line: Line): Promise<void> => {
      known.set(line.path, line)
      if (file) await appendFile(file, `${JSON.stringify(line)}\n`)
    }
    const progress = (done: number) => onProgress(done, missing.length)
    const found = await embedPictures(missing, 'central', progress, pack, async (path, chip, unit) => {
      const [read] = await estimator.estimate([{ chip }], { age: true, gender: true, emotions: false })
      const text = Buffer.from(unit.buffer, unit.byteOffset, unit.byteLength).toString('base64')
      await add({ path, face: { unit: text, age: read!.age!, female: read!.gender === 'female' } })
    })
    await estimator.close()
    for (const [path, unit] of found) if (!unit) await add({ path })
  }
  return new Map(paths.map(path => [path, faceOf(known.get(path)!)]))
}

const fileName = (pack: PlacedPack): string => {
  const others = JSON.stringify([pack.detector, pack.landmarks])
  return `${embedderLabel(pack)}-${createHash('sha256').update(others).digest('hex').slice(0, 8)}`
}

async function linesOf(file: string): Promise<Map<string, Line>> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const lines = text.split('\n').slice(0, -1)
  return new Map(lines.map(line => JSON.parse(line) as Line).map(line => [line.path, line]))
}

function faceOf({ face }: Line): ReadFace | undefined {
  if (!face) return undefined
  const { buffer } = Uint8Array.from(Buffer.from(face.unit, 'base64'))
  return { ...face, unit: new Float32Array(buffer) }
}
