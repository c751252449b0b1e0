/** How many faces of crowd photos are found: average precision by the least size of face, and the detector's time. */
import { access, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { LIMITS } from '../core/contract/limits.ts'
import { readModel } from '../models/files.ts'
import { STANDARD } from '../models/manifest.ts'
import { openDetector } from '../wasm/detector.ts'
import type { Photo } from '../wasm/image.ts'
import { openRuntime } from '../wasm/runtime.node.ts'
import { fixed, fromCaller, median, type Outcome, table } from './benchmark.ts'
import { averagePrecision, type Judged } from './faces/average-precision.ts'

export const description = 'average precision of the detector on annotated crowd photos'

export const options = {
  annotations: { type: 'string' },
  images: { type: 'string' },
  limit: { type: 'string' },
} as const

/** Least sizes of a face in pixels of these photos; the first stands for LIMITS.faceSide of a large photo. */
const SIZES = [16, 32, 50] as const
const ENOUGH_OVERLAP = 0.35

interface Annotated {
  file: string
  /** [x1, y1, x2, y2] in the photo's pixels. */
  boxes_aspect_xyxy: [number, number, number, number][]
}

export async function run(values: {
  annotations?: string
  images?: string
  limit?: string
}): Promise<Outcome> {
  const path = fromCaller(values.annotations ?? '../shared/data/wider200/gt.json')
  if (!(await exists(path))) return { table: `skipped: there is no ${path}`, result: { skipped: true } }
  const annotated: Annotated[] = JSON.parse(await readFile(path, 'utf8'))
  const chosen = annotated.slice(0, values.limit === undefined ? undefined : Number(values.limit))
  const folder = values.images === undefined ? dirname(path) : fromCaller(values.images)
  const detector = await openDetector(await openRuntime(), readModel, STANDARD.detector)

  const judged: Judged[] = []
  const times: number[] = []
  for (const { file, boxes_aspect_xyxy } of chosen) {
    const photo = await openAsPartOfLarger(join(folder, file))
    const began = performance.now()
    const found = await detector.detect(photo)
    times.push(performance.now() - began)
    const scale = photo.raster.width / photo.width
    judged.push({
      truth: boxes_aspect_xyxy.map(([x1, y1, x2, y2]) => ({ x1, y1, x2, y2 })),
      found: found.map(({ score, box: { x1, y1, x2, y2 } }) => ({
        score,
        box: { x1: x1 * scale, y1: y1 * scale, x2: x2 * scale, y2: y2 * scale },
      })),
    })
  }
  const precision = Object.fromEntries(
    SIZES.map(size => [`>=${size} px`, fixed(averagePrecision(judged, size, ENOUGH_OVERLAP), 3)]),
  )
  const head = ['photos', ...Object.keys(precision), 'median ms']
  const row = [chosen.length, ...Object.values(precision), fixed(median(times))]
  return {
    table: table([head, row]),
    result: { photos: chosen.length, averagePrecision: precision, medianMs: fixed(median(times)) },
  }
}

/** The photo as the reduced raster of one so large that a face of SIZES[0] pixels here has LIMITS.faceSide there. */
async function openAsPartOfLarger(path: string): Promise<Photo> {
  const { data, info } = await sharp(path)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const scale = LIMITS.faceSide / SIZES[0]
  return {
    raster: { data, width: info.width, height: info.height },
    orientation: 1,
    width: Math.round(info.width * scale),
    height: Math.round(info.height * scale),
    step: scale,
    release: () => {},
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
