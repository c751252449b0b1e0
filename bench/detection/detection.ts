/** Measures recall and precision of face detection on annotated photos, by pack; and over HTTP, beside face-api. */
import { readdir, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { Piscina } from 'piscina'
import sharp from 'sharp'
import { PHOTO_LIMITS } from '#contract/limits/photos.ts'
import type { Box } from '#contract/model/bbox.ts'
import { packNamed, STANDARD_NAME } from '#models/packs.ts'
import { benchmark, DATA, existing, exists, fromCaller, progress } from '../benchmark.ts'
import { picturesIn } from '../lib/faces/analysis.ts'
import type { DetectSetup, Said } from '../lib/faces/detect.worker.ts'
import { compareOverHttp, openContestants } from '../lib/faces/over-http.ts'
import { atScore, averagePrecision, type Judged } from '../lib/statistics/average-precision.ts'
import { evenly, fixed, median } from '../statistics.ts'

/** Minimum face sizes in pixels of these photos. The first stands for PHOTO_LIMITS.faceSide of a large photo. */
const SIZES = [16, 32, 50] as const
const OVERLAPS = [0.35, 0.5] as const

type Corners = readonly [x1: number, y1: number, x2: number, y2: number]

/** Boxes in pixels of the photo. The second name occurs in the data set's own files. */
interface Annotated {
  file: string
  boxes?: Corners[]
  boxes_aspect_xyxy?: Corners[]
}

/** Minimum score of reported faces, and other scores at which false faces are counted. */
const REPORTED = 0.5
const SCORES = [0.3, REPORTED, 0.7, 0.9] as const

/** A photo with the detections of every pack. */
interface Photo extends Pick<Judged, 'truth'> {
  said: Said[]
}

export default benchmark({
  description:
    'detection on annotated photos, by pack; --annotations: a JSON list of {file, boxes: [[x1, y1, x2, y2]]}',
  options: {
    annotations: '../shared/data/wider200/gt.json',
    /** Folder of the photos. Default: the folder of the annotations. */
    images: '',
    /** Folder of pictures without people, on which faces are false. */
    empty: '../shared/data/no-people',
    /** Number of photos, taken at even distances; 0 for all. */
    photos: 0,
    /** Packs of the data folder, separated by commas. */
    packs: STANDARD_NAME,
    data: DATA,
    /** Photos processed concurrently, each by one detector at a time. */
    threads: availableParallelism(),
    /** Turns over HTTP on photos of small groups; 0 leaves that comparison out. Crowds are many, and take fewer. */
    runs: 6,
    /** A folder of photos of small groups, whose file names have `group`, for the comparison over HTTP. */
    groups: '../shared/data/photos/groups',
  },
  async run({ annotations, images, empty, photos, packs: names, data, threads, runs, groups }, rig) {
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
    // The pictures are the photos here, not their reduced rasters.
    const asSent = await compare(1)
    const falseFaces = await countFalseFaces(packs, fromCaller(empty), threads)
    if (runs === 0) return { photos: chosen.length, detectors, asSent, falseFaces }
    const contestants = await openContestants(rig, fromCaller(data), names.split(','))
    const sent = (await groupPhotos(fromCaller(groups))).map(path => ({ path }))
    const groupsOverHttp = await compareOverHttp(contestants, sent, ['detect', 'identify'], runs)
    const crowds = chosen.map(one => ({ path: join(folder, one.file), boxes: boxesOf(one) }))
    const crowdsOverHttp = await compareOverHttp(contestants, crowds, ['detect'], Math.ceil(runs / 3))
    const singleOverHttp = []
    for (const { name, path } of await singlePhotos(fromCaller(groups), await rig.folder())) {
      const rows = await compareOverHttp(contestants, [{ path }], ['detect'], runs)
      singleOverHttp.push(...rows.map(row => ({ photo: name, ...row })))
    }
    return {
      photos: chosen.length,
      detectors,
      asSent,
      falseFaces,
      groupPhotos: sent.length,
      groupsOverHttp,
      crowdsOverHttp,
      singleOverHttp,
    }
  },
})

/** Paths of the photos of small groups; none without the folder. */
const groupPhotos = async (folder: string) =>
  (await exists(folder))
    ? (await readdir(folder)).filter(file => /group.*\.jpe?g$/.test(file)).map(file => join(folder, file))
    : []

/** Photos whose times are compared one by one, and the megapixels to which they are scaled. */
const SINGLE = [
  ['obama.jpg', 1],
  ['stock-group-2.jpg'],
  ['solvay1927.jpg'],
  ['obama.jpg', 12],
  ['solvay1927.jpg', 12],
  ['solvay1927.jpg', 36],
] as const

/** Writes these photos of a folder to another; none without the folder. */
async function singlePhotos(folder: string, target: string) {
  if (!(await exists(folder))) return []
  return Promise.all(
    SINGLE.map(async ([file, megapixels]) => {
      const photo = sharp(await readFile(join(folder, file)))
      const { width, height } = await photo.metadata()
      const scale = megapixels ? Math.sqrt((megapixels * 1e6) / (width * height)) : 1
      const name = megapixels ? `${file}, ${megapixels} Mpx` : file
      const path = join(target, `${megapixels ?? 0}-${file}`)
      await photo
        .resize(Math.round(width * scale))
        .jpeg({ quality: 90 })
        .toFile(path)
      return { name, path }
    }),
  )
}

const boxesOf = ({ boxes, boxes_aspect_xyxy }: Annotated): Box[] =>
  (boxes ?? boxes_aspect_xyxy ?? []).map(([x1, y1, x2, y2]) => ({ x1, y1, x2, y2 }))

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
    chosen.map(async one => {
      const said = await pool.run(join(folder, one.file))
      if (++done % 20 === 0) progress(`${done} of ${chosen.length} photos`)
      return { truth: boxesOf(one), said }
    }),
  )
  await pool.destroy()
  return photos
}

/** Pictures without people on which a pack finds a face, by its least score. */
async function countFalseFaces(packs: DetectSetup['packs'], folder: string, threads: number) {
  if (!(await exists(folder))) return []
  const pictures = (await picturesIn(folder)).map(file => ({ file, boxes: [] }))
  const judged = await judgedPhotos({ packs, standsFor: 1 }, pictures, folder, threads)
  return packs.map(({ name }, i) => {
    const best = judged.map(({ said }) => Math.max(0, ...said[i]!.found.map(({ score }) => score)))
    const counts = SCORES.map(score => [`from ${score}`, best.filter(one => one >= score).length])
    return { name, pictures: pictures.length, ...Object.fromEntries(counts) }
  })
}

/** Figures of one pack: average precision over all scores; recall and precision of reported faces; time. */
function summary(photos: readonly (Judged & Said)[]) {
  const sizes = SIZES.flatMap(size =>
    OVERLAPS.map(enough => {
      const { recall, precision } = atScore(photos, size, enough, REPORTED)
      const averaged = averagePrecision(photos, size, enough)
      const figures = { averagePrecision: fixed(averaged, 3), recall: fixed(recall, 3) }
      return [`>=${size} px, overlap ${enough}`, { ...figures, precision: fixed(precision, 3) }]
    }),
  )
  return {
    ...Object.fromEntries(sizes),
    medianMs: fixed(median(photos.map(({ milliseconds }) => milliseconds))),
  }
}
