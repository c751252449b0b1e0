/** Measures recall and precision of face detection on annotated photos, by pack, and CPU times. */
import { readdir, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { Piscina } from 'piscina'
import sharp, { type Sharp } from 'sharp'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import { DECODE_LIMITS } from '#edge/vision/photo-analyzer.ts'
import { packNamed, STANDARD_NAME } from '#models/packs.ts'
import { ExceedsDecodeLimits } from '#wasm/decode/budget.ts'
import { analyzePhoto, type VisionModels } from '#wasm/pipeline.ts'
import { benchmark, DATA, existing, exists, fromCaller, progress } from '../benchmark.ts'
import { openTestModels } from '../harness/vision.ts'
import { BUDGET } from '../lib/faces/analysis.ts'
import type { DetectSetup, Said } from '../lib/faces/detect.worker.ts'
import { atScore, averagePrecision, type Judged } from '../lib/statistics/average-precision.ts'
import { crowd, group, portrait } from '../photos.ts'
import { cpuTimed, evenly, fixed, median, minimum, sum } from '../statistics.ts'

/** Minimum face sizes in pixels of these photos. The first stands for PHOTO_LIMITS.faceSide of a large photo. */
const SIZES = [16, 32, 50] as const
const ENOUGH_OVERLAP = 0.35

type Corners = [x1: number, y1: number, x2: number, y2: number]

/** Boxes in pixels of the photo. The second name occurs in the data set's own files. */
interface Annotated {
  file: string
  boxes?: Corners[]
  boxes_aspect_xyxy?: Corners[]
}

/** Minimum score of reported faces. */
const REPORTED = 0.5

/** A photo with the detections of every pack. */
interface Photo extends Pick<Judged, 'truth'> {
  said: Said[]
}

export default benchmark({
  description:
    'detection on annotated photos, by pack; --annotations: a JSON list of {file, boxes: [[x1, y1, x2, y2]]}',
  options: {
    annotations: '../shared/data/wider200/gt.json',
    /** Folder of the photos. Default: that of the annotations. */
    images: '',
    /** Number of photos, taken at even distances; 0 for all. */
    photos: 0,
    /** Packs of the data folder, separated by commas. */
    packs: STANDARD_NAME,
    data: DATA,
    /** Photos processed concurrently, each by one detector at a time. */
    threads: availableParallelism(),
    /** A folder of further photos for which CPU time is measured. */
    costly: '../shared/data/photos/groups',
    /** Analyses per photo. The lowest CPU time counts; 0 leaves the costs out. */
    runs: 3,
  },
  async run({ annotations, images, photos, packs: names, data, threads, costly, runs }) {
    const path = await existing(annotations)
    const annotated: Annotated[] = JSON.parse(await readFile(path, 'utf8'))
    const chosen = evenly(annotated, photos || annotated.length)
    const folder = images === '' ? dirname(path) : fromCaller(images)
    const packs = await Promise.all(names.split(',').map(name => packNamed(fromCaller(data), name)))
    const compare = async (standsFor: number) => {
      const judged = await judgedPhotos({ packs, standsFor }, chosen, folder, threads)
      return packs.map(({ name }, i) => ({
        name,
        ...summary(judged.map(({ truth, said }) => ({ truth, ...said[i]! }))),
      }))
    }
    const detectors = await compare(PHOTO_LIMITS.faceSide / SIZES[0])
    // Every pixel of the photos is one of the photo's.
    const asSent = await compare(1)
    const costs = runs === 0 ? [] : await photoCosts(fromCaller(costly), runs)
    return {
      photos: chosen.length,
      detectors,
      asSent,
      ...(runs > 0 && { costs, perSecond: fixed(mixedPerSecond(costs)) }),
    }
  },
})

async function judgedPhotos(
  setup: DetectSetup,
  chosen: readonly Annotated[],
  folder: string,
  threads: number,
): Promise<Photo[]> {
  const pool = new Piscina<string, Said[]>({
    filename: new URL('../lib/faces/detect.worker.ts', import.meta.url).href,
    workerData: setup,
    minThreads: threads,
    maxThreads: threads,
  })
  let done = 0
  const photos = await Promise.all(
    chosen.map(async ({ file, boxes, boxes_aspect_xyxy }) => {
      const said = await pool.run(join(folder, file))
      if (++done % 20 === 0) progress(`${done} of ${chosen.length} photos`)
      const truth = (boxes ?? boxes_aspect_xyxy ?? []).map(([x1, y1, x2, y2]) => ({ x1, y1, x2, y2 }))
      return { truth, said }
    }),
  )
  await pool.destroy()
  return photos
}

/** Figures of one pack: average precision over all scores; recall and precision of reported faces; time. */
function summary(photos: readonly (Judged & Said)[]) {
  const sizes = SIZES.map(size => {
    const { recall, precision } = atScore(photos, size, ENOUGH_OVERLAP, REPORTED)
    const averaged = averagePrecision(photos, size, ENOUGH_OVERLAP)
    const figures = { averagePrecision: fixed(averaged, 3), recall: fixed(recall, 3) }
    return [`>=${size} px`, { ...figures, precision: fixed(precision, 3) }]
  })
  return {
    ...Object.fromEntries(sizes),
    medianMs: fixed(median(photos.map(({ milliseconds }) => milliseconds))),
  }
}

/** Shares of portraits, groups and crowds in a typical mix. */
const MIX = { 'portrait, 1 Mpx': 0.8, 'group, 1 Mpx': 0.15, 'crowd, 1 Mpx': 0.05 }

const PHOTOS: Readonly<Record<string, () => Promise<Sharp>>> = {
  'portrait, 1 Mpx': async () => (await portrait()).resize(1000).jpeg(),
  'group, 1 Mpx': async () => (await group(1118, 895)).jpeg(),
  'crowd, 1 Mpx': async () => (await crowd(1152, 864, 4)).jpeg(),
  'portrait, 12 Mpx': async () => (await portrait()).resize(3464).jpeg(),
  'group, 12 Mpx': async () => (await group(3873, 3100)).jpeg(),
  'collage of 108 faces, 12 Mpx': async () => (await crowd(4000, 3000, 6)).jpeg(),
  'collage of 108 faces, 24 Mpx': async () => (await crowd(6000, 4000, 6)).jpeg(),
  'collage of 300 faces, 24 Mpx': async () => (await crowd(6000, 4000, 10)).jpeg(),
  'collage of 300 faces, 12 Mpx PNG': async () => (await crowd(4000, 3000, 10)).png({ compressionLevel: 3 }),
  'no faces, 24 Mpx': async () =>
    sharp({ create: { width: 6000, height: 4000, channels: 3, background: 'grey' } }).jpeg(),
}

/** CPU milliseconds of an analysis with decoding, also of photos that the edge would forward to core. */
async function photoCosts(folder: string, runs: number) {
  const models = await openTestModels()
  const costs = []
  for (const [name, make] of Object.entries(PHOTOS))
    costs.push(await costOf(models, name, await (await make()).toBuffer(), runs))
  const files = (await exists(folder)) ? await readdir(folder) : []
  for (const file of files.filter(name => /\.jpe?g$/.test(name)))
    costs.push(await costOf(models, file, await readFile(join(folder, file)), runs))
  return costs.sort((a, b) => b.cpuMs - a.cpuMs)
}

async function costOf(models: VisionModels, photo: string, file: Buffer, runs: number) {
  const bytes = new Uint8Array(file)
  const analyse = () =>
    analyzePhoto(models, bytes, undefined, { ...DECODE_LIMITS, param: 'photo' }).catch(error => {
      if (!(error instanceof ExceedsDecodeLimits)) throw error
      return analyzePhoto(models, bytes, undefined, BUDGET)
    })
  const times: number[] = []
  for (let run = 0; run < runs; run++) times.push(await cpuTimed(analyse))
  const { faces, limited } = await analyse()
  return { photo, cpuMs: fixed(minimum(times)), faces: faces.length, limited: limited ? 'yes' : '' }
}

/** Photos per second of one thread for the typical mix. */
const mixedPerSecond = (costs: readonly { photo: string; cpuMs: number }[]): number =>
  1000 /
  sum(Object.entries(MIX).map(([name, share]) => share * costs.find(({ photo }) => photo === name)!.cpuMs))
