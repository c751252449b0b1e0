/** Measures how often a small face in the background of a large photo is found next to a large face. */

import type { Size } from '#wasm/detection/tiling.ts'
import type { VisionModels } from '#wasm/pipeline.ts'
import { exists, fixed, fromCaller, median, numbers, type Outcome, progress, table } from '../benchmark.ts'
import { openTestModels } from '../harness/vision.ts'
import { composed, fitsBehind, judged, type Scene } from '../lib/faces/composed.ts'
import { facesOn, type Portrait, readPortraits } from '../lib/faces/portraits.ts'

export const description =
  'detection of small background faces next to a large face, by photo size and face size'

export const options = {
  images: { type: 'string' },
  limit: { type: 'string' },
  sizes: { type: 'string' },
  faces: { type: 'string' },
} as const

const LIMIT = 8
const SIZES = '1152,2000,3000,4000,6000'
const FACES = '52,60,75,100,140'

export async function run(values: {
  /** A folder of pictures per person. Faces fill the pictures as in LFW. */
  images?: string
  /** Number of photos for each size of photo and face. */
  limit?: string
  /** Widths of the photos, in pixels. */
  sizes?: string
  /** Shorter sides of the small faces' boxes, in pixels. Sizes too large for a photo's background are left out. */
  faces?: string
}): Promise<Outcome> {
  const images = fromCaller(values.images ?? '../shared/data/lfw-dev')
  if (!(await exists(images))) return { table: `skipped: there is no ${images}`, result: { skipped: true } }
  const models = await openTestModels()
  const scenes = scenesOf(await readPortraits(models, images, 3 * Number(values.limit ?? LIMIT)))
  const cells = numbers(values.sizes ?? SIZES)
    .map(sizeOf)
    .flatMap(size => numbers(values.faces ?? FACES).map(face => ({ size, face })))
    .filter(({ size, face }) => fitsBehind(face, size))
  const rows: Row[] = []
  for (const { size, face } of cells) {
    rows.push(await analyzeAll(models, scenes, size, face))
    progress(`${rows.length} of ${cells.length} sizes`)
  }
  return { table: tableOf(rows), result: { sizes: rows } }
}

/** Phones take photos of 4:3; the 24 Mpx size is that of a camera, 3:2. */
const sizeOf = (width: number): Size => ({
  width,
  height: width === 6000 ? 4000 : Math.round((width * 3) / 4),
})

const scenesOf = (people: readonly Portrait[]): Scene[] =>
  Array.from({ length: Math.floor(people.length / 3) }, (_, i) => [
    people[3 * i]!,
    people[3 * i + 1]!,
    people[3 * i + 2]!,
  ])

/** Results for one photo size and one size of small faces. */
interface Row {
  photo: string
  face: number
  photos: number
  /** Photos on which the small face was found. */
  found: number
  /** Photos on which the large face was found. */
  large: number
  /** Photos with a reported face that is neither of the two. */
  others: number
  medianMs: number
}

/** Analyzes each scene once. One photo at a time is in memory. */
async function analyzeAll(
  models: VisionModels,
  scenes: readonly Scene[],
  size: Size,
  face: number,
): Promise<Row> {
  const analyses: (ReturnType<typeof judged> & { milliseconds: number })[] = []
  for (const scene of scenes) {
    const photo = await composed(scene, size, face)
    const start = performance.now()
    const reported = await facesOn(models, photo.bytes)
    analyses.push({ milliseconds: performance.now() - start, ...judged(reported, photo) })
  }
  const count = (what: 'found' | 'large' | 'others') => analyses.filter(one => one[what]).length
  return {
    photo: `${size.width} x ${size.height}`,
    face,
    photos: analyses.length,
    found: count('found'),
    large: count('large'),
    others: count('others'),
    medianMs: fixed(median(analyses.map(({ milliseconds }) => milliseconds)), 0),
  }
}

const tableOf = (rows: readonly Row[]): string =>
  table([
    ['photo, px', 'face, px', 'found', 'large face found', 'others', 'median ms'],
    ...rows.map(({ photo, face, photos, found, large, others, medianMs }) => [
      photo,
      face,
      ...[found, large, others].map(part => `${part} of ${photos}`),
      medianMs,
    ]),
  ])
