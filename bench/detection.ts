/** How many faces of annotated photos are found, and how much else: ours beside other detectors on the same photos. */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { LIMITS } from '../core/contract/limits.ts'
import { readModel } from '../models/files.ts'
import { STANDARD } from '../models/manifest.ts'
import { openDetector } from '../wasm/detector.ts'
import type { Raster } from '../wasm/image.ts'
import { openRuntime } from '../wasm/runtime.node.ts'
import { exists, fixed, fromCaller, median, type Outcome, progress, table } from './benchmark.ts'
import { atScore, averagePrecision, type Judged } from './faces/average-precision.ts'
import { type DetectorPeer, faceApiDetectors, humanBlazeface, yunet } from './peers/detectors.ts'

export const description =
  'faces found on annotated photos, beside face-api, human and a YuNet; --annotations: a JSON list of {file, boxes: [[x1, y1, x2, y2]]}'

export const options = {
  annotations: { type: 'string' },
  images: { type: 'string' },
  limit: { type: 'string' },
  /** A YuNet file that takes pictures of any size. */
  yunet: { type: 'string' },
  /** Of Mien alone. */
  alone: { type: 'boolean' },
} as const

/** Least sizes of a face in pixels of these photos; the first stands for LIMITS.faceSide of a large photo. */
const SIZES = [16, 32, 50] as const
const ENOUGH_OVERLAP = 0.35

/** The photos stand for the small rasters of ones so many times as large. */
const STANDS_FOR = LIMITS.faceSide / SIZES[0]

type Corners = [x1: number, y1: number, x2: number, y2: number]

/** Boxes are in the photo's pixels; the second name is that of the data set's own files. */
interface Annotated {
  file: string
  boxes?: Corners[]
  boxes_aspect_xyxy?: Corners[]
}

export async function run(values: Record<string, string | boolean | undefined>): Promise<Outcome> {
  const path = fromCaller(String(values.annotations ?? '../shared/data/wider200/gt.json'))
  if (!(await exists(path))) return { table: `skipped: there is no ${path}`, result: { skipped: true } }
  const annotated: Annotated[] = JSON.parse(await readFile(path, 'utf8'))
  const chosen = annotated.slice(0, values.limit === undefined ? undefined : Number(values.limit))
  const folder = values.images === undefined ? dirname(path) : fromCaller(String(values.images))

  const detectors = await contestants(values)
  const seen = detectors.map(() => ({ judged: [] as Judged[], times: [] as number[] }))
  for (const [photo, { file, boxes, boxes_aspect_xyxy }] of chosen.entries()) {
    if (photo % 20 === 0) progress(`photo ${photo} of ${chosen.length}`)
    const picture = await openPicture(join(folder, file))
    const truth = (boxes ?? boxes_aspect_xyxy ?? []).map(([x1, y1, x2, y2]) => ({ x1, y1, x2, y2 }))
    for (const [i, detector] of detectors.entries()) {
      const began = performance.now()
      const found = await detector.detect(picture)
      seen[i]!.times.push(performance.now() - began)
      seen[i]!.judged.push({ truth, found })
    }
  }
  const results = detectors.map(({ name, usual }, i) => ({ name, ...summary(seen[i]!, usual) }))
  return { table: tableOf(results), result: { photos: chosen.length, detectors: results } }
}

async function contestants(values: Record<string, string | boolean | undefined>): Promise<DetectorPeer[]> {
  const mien = await openMien()
  if (values.alone) return [mien]
  const file = fromCaller(String(values.yunet ?? '../shared/models/reference/yunet_n_dynamic.onnx'))
  const reference = (await exists(file)) ? [await yunet(await openRuntime(), file)] : []
  return [mien, ...(await faceApiDetectors()), await humanBlazeface(), ...reference]
}

/** Our detector, shown the picture as all that there is of a photo STANDS_FOR times as large. */
async function openMien(): Promise<DetectorPeer> {
  const detector = await openDetector(await openRuntime(), readModel, STANDARD.detector, {
    leastScore: 0,
    leastSide: 0,
  })
  return {
    name: 'Mien',
    usual: 0.5,
    async detect(raster) {
      const [width, height] = [raster.width * STANDS_FOR, raster.height * STANDS_FOR]
      const photo = { raster, orientation: 1, width, height, step: STANDS_FOR, release: () => {} }
      const found = await detector.detect(photo)
      return found.map(({ score, box: { x1, y1, x2, y2 } }) => ({
        score,
        box: { x1: x1 / STANDS_FOR, y1: y1 / STANDS_FOR, x2: x2 / STANDS_FOR, y2: y2 / STANDS_FOR },
      }))
    },
  }
}

async function openPicture(path: string): Promise<Raster> {
  const pixels = sharp(path).rotate().removeAlpha().toColourspace('srgb').raw()
  const { data, info } = await pixels.toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

const named = <Value>(value: (size: number) => Value): Record<string, Value> =>
  Object.fromEntries(SIZES.map(size => [`>=${size} px`, value(size)]))

/** Average precision of all scores; recall and precision of what is reported; the time. */
const summary = ({ judged, times }: { judged: Judged[]; times: number[] }, usual: number) => ({
  averagePrecision: named(size => fixed(averagePrecision(judged, size, ENOUGH_OVERLAP), 3)),
  reported: named(size => {
    const { recall, precision } = atScore(judged, size, ENOUGH_OVERLAP, usual)
    return { recall: fixed(recall, 3), precision: fixed(precision, 3) }
  }),
  medianMs: fixed(median(times)),
})

function tableOf(results: readonly ({ name: string } & ReturnType<typeof summary>)[]): string {
  const ours = results[0]!.medianMs
  const head = [
    'average precision, then recall and precision as reported',
    ...SIZES.flatMap(size => [`>=${size} px`, 'recall', 'precision']),
    'median ms',
    'Mien / this',
  ]
  const rows = results.map(({ name, averagePrecision, reported, medianMs }) => [
    name,
    ...Object.keys(averagePrecision).flatMap(size => [
      averagePrecision[size]!,
      reported[size]!.recall,
      reported[size]!.precision,
    ]),
    medianMs,
    fixed(ours / medianMs, 2),
  ])
  return table([head, ...rows])
}
