/** People in the background: how often a small face is found on a large photo that has a large face, too. */
import { openTestModels } from '../test/wasm/seeing.ts'
import type { Size } from '../wasm/detection/tiling.ts'
import type { VisionModels } from '../wasm/pipeline.ts'
import { exists, fixed, fromCaller, median, numbers, type Outcome, progress, table } from './benchmark.ts'
import { composed, fitsBehind, judged, type Scene } from './faces/composed.ts'
import { facesOn, type Portrait, readPortraits } from './faces/portraits.ts'

export const description = 'small faces behind a large one: found, by the size of the photo and of the face'

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
  /** A folder of pictures for each person, who fills them as on those of LFW. */
  images?: string
  /** So many photos for each size of photo and of face. */
  limit?: string
  /** Widths of the photos, in pixels. */
  sizes?: string
  /** Shorter sides of the small faces' boxes, in pixels; those too large for a photo's background are left out. */
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
    rows.push(await lookAtAll(models, scenes, size, face))
    progress(`${rows.length} of ${cells.length} sizes`)
  }
  return { table: tableOf(rows), result: { sizes: rows } }
}

/** Telephones take photos of 4:3; 24 Mpx are a camera's, of 3:2. */
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

/** Of photos of one size with small faces of one size. */
interface Row {
  photo: string
  face: number
  photos: number
  /** On so many of them the small face was found. */
  found: number
  /** On so many the large face was. */
  large: number
  /** On so many a face was told that is neither's. */
  others: number
  medianMs: number
}

/** Looks once at each scene; one photo at a time is in memory. */
async function lookAtAll(
  models: VisionModels,
  scenes: readonly Scene[],
  size: Size,
  face: number,
): Promise<Row> {
  const looks: (ReturnType<typeof judged> & { milliseconds: number })[] = []
  for (const scene of scenes) {
    const photo = await composed(scene, size, face)
    const start = performance.now()
    const told = await facesOn(models, photo.bytes)
    looks.push({ milliseconds: performance.now() - start, ...judged(told, photo) })
  }
  const count = (what: 'found' | 'large' | 'others') => looks.filter(one => one[what]).length
  return {
    photo: `${size.width} x ${size.height}`,
    face,
    photos: looks.length,
    found: count('found'),
    large: count('large'),
    others: count('others'),
    medianMs: fixed(median(looks.map(({ milliseconds }) => milliseconds)), 0),
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
