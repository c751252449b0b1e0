/** Measures the memory of the store: new processes with many faces, compared with an empty one. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fixed, type Outcome, progress, table } from '../benchmark.ts'
import { startChild } from '../lib/vectors/child.ts'
import type { MemoryAnswer, MemoryTask } from '../lib/vectors/memory.child.ts'
import { writeRows } from '../lib/vectors/rows-file.ts'

export const description =
  'memory of the store: bytes per face in one large gallery, and in thousands of small ones'

export const options = {
  faces: { type: 'string' },
  dimension: { type: 'string' },
  galleries: { type: 'string' },
} as const

const FACES = 1_000_000
const DIMENSION = 160
const GALLERIES = 10_000
const PER_SMALL_GALLERY = 10

interface Stage {
  name: string
  faces: number
  task: Omit<MemoryTask, 'dimension'>
}

export async function run(values: Partial<Record<keyof typeof options, string>>): Promise<Outcome> {
  const dimension = Number(values.dimension ?? DIMENSION)
  const faces = Number(values.faces ?? FACES)
  const galleries = Number(values.galleries ?? GALLERIES)
  const folder = await mkdtemp(join(tmpdir(), 'mien-bench-'))
  try {
    const stages = await prepared(folder, dimension, faces, galleries)
    const figures = []
    let emptyMb = 0
    for (const { name, faces, task } of stages) {
      progress(`  ${name}`)
      const { residentMb, peakMb } = await startChild<MemoryAnswer>('memory.child.ts', { ...task, dimension })
        .answer
      if (faces === 0) emptyMb = residentMb
      const growthMb = fixed(residentMb - emptyMb)
      const bytesAFace = faces === 0 ? 0 : Math.round(((residentMb - emptyMb) * 2 ** 20) / faces)
      figures.push({
        name,
        faces,
        residentMb: fixed(residentMb),
        growthMb,
        bytesAFace,
        peakMb: fixed(peakMb),
      })
    }
    const head = ['a fresh process', 'faces', 'resident MB', 'more than empty, MB', 'bytes a face', 'peak MB']
    return {
      table: table([head, ...figures.map(figure => Object.values(figure))]),
      result: { dimension, figures },
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Each stage continues with the folder of the previous one. */
async function prepared(
  folder: string,
  dimension: number,
  faces: number,
  galleries: number,
): Promise<Stage[]> {
  const [empty, large, small] = ['empty', 'large', 'small'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const path of [empty, large, small]) await mkdir(path)
  const [many, few] = [join(folder, 'many.f32'), join(folder, 'few.f32')]
  const inSmall = galleries * PER_SMALL_GALLERY
  await writeRows(many, dimension, faces)
  await writeRows(few, dimension, inSmall)
  const whole = { folder: large, perGallery: faces }
  const parts = { folder: small, perGallery: PER_SMALL_GALLERY }
  return [
    { name: 'with an empty store', faces: 0, task: { folder: empty, perGallery: 1 } },
    { name: 'that added them to one gallery', faces, task: { ...whole, rows: many } },
    { name: 'that opened it', faces, task: whole },
    { name: 'that made its index', faces, task: { ...whole, index: true } },
    { name: 'that opened it with the index', faces, task: whole },
    { name: `that added them to ${galleries} galleries`, faces: inSmall, task: { ...parts, rows: few } },
    { name: 'that opened these', faces: inSmall, task: parts },
  ]
}
