/** Measures recall and precision of face detection on annotated photos, compared with other detectors. */
import { glob, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { Piscina } from 'piscina'
import { LIMITS } from '#contract/limits.ts'
import { evenly, exists, fixed, fromCaller, median, type Outcome, progress, table } from '../benchmark.ts'
import { atScore, averagePrecision, type Judged } from '../lib/measures/average-precision.ts'
import type { Contestant, DetectSetup, Said } from '../lib/measures/detect.worker.ts'
import { mixedPerSecond, type PhotoCost, photoCosts } from '../lib/measures/photo-costs.ts'

export const description =
  'detection on annotated photos, compared with face-api, human and a YuNet; --annotations: a JSON list of {file, boxes: [[x1, y1, x2, y2]]}'

export const options = {
  annotations: { type: 'string' },
  images: { type: 'string' },
  /** Number of photos, taken at even distances. */
  photos: { type: 'string' },
  /**
   * Any of ssd, tiny, human, yunet and yunet-pack (a YuNet as Mien's detector), separated by commas; `none` for no
   * peers.
   */
  peers: { type: 'string' },
  /** A YuNet file for inputs of any size. */
  yunet: { type: 'string' },
  /** Photos processed concurrently, each by one detector at a time. */
  threads: { type: 'string' },
  /** A folder of further photos for which CPU time is measured. */
  costly: { type: 'string' },
} as const

/** Minimum face sizes in pixels of these photos. The first stands for LIMITS.faceSide of a large photo. */
const SIZES = [16, 32, 50] as const
const ENOUGH_OVERLAP = 0.35

type Corners = [x1: number, y1: number, x2: number, y2: number]

/** Boxes in pixels of the photo. The second name occurs in the data set's own files. */
interface Annotated {
  file: string
  boxes?: Corners[]
  boxes_aspect_xyxy?: Corners[]
}

const PEERS: readonly Contestant[] = ['ssd', 'tiny', 'human', 'yunet', 'yunet-pack']

export async function run(values: Record<string, string | boolean | undefined>): Promise<Outcome> {
  const path = fromCaller(String(values.annotations ?? '../shared/data/wider200/gt.json'))
  if (!(await exists(path))) return { table: `skipped: there is no ${path}`, result: { skipped: true } }
  const annotated: Annotated[] = JSON.parse(await readFile(path, 'utf8'))
  const chosen = evenly(annotated, Number(values.photos ?? annotated.length))
  const folder = values.images === undefined ? dirname(path) : fromCaller(String(values.images))

  const chosenOnes = await contestants(values)
  const compare = (standsFor: number) => judgedPhotos({ ...chosenOnes, standsFor }, chosen, folder, values)
  const results = summaries(await compare(LIMITS.faceSide / SIZES[0]))
  const asSent = summaries(await compare(1))
  const costs = await photoCosts(fromCaller(String(values.costly ?? '../shared/data/photos/groups')))
  const lines = await linesOfDetection()
  return {
    table: [
      tableOf(results),
      `As sent: every pixel of the photos is one of the photo's\n${tableOf(asSent)}`,
      costTable(costs),
      `Photos a second of one thread, 80 % portraits, 15 % groups, 5 % crowds: ${fixed(mixedPerSecond(costs))}`,
      `Lines of wasm/detection: ${lines}`,
    ].join('\n\n'),
    result: {
      photos: chosen.length,
      detectors: results,
      asSent,
      costs,
      perSecond: mixedPerSecond(costs),
      lines,
    },
  }
}

/** Each photo with the detections of every contestant. */
async function judgedPhotos(
  setup: DetectSetup,
  chosen: readonly Annotated[],
  folder: string,
  values: Record<string, string | boolean | undefined>,
): Promise<(Pick<Judged, 'truth'> & { said: Said[] })[]> {
  const threads = Number(values.threads ?? availableParallelism())
  const pool = new Piscina<string, Said[]>({
    filename: new URL('../lib/measures/detect.worker.ts', import.meta.url).href,
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

const summaries = (photos: Awaited<ReturnType<typeof judgedPhotos>>) =>
  (photos[0]?.said ?? []).map((_, i) => summary(photos.map(({ truth, said }) => ({ truth, ...said[i]! }))))

/** Number of source lines of wasm/detection. */
async function linesOfDetection(): Promise<number> {
  let lines = 0
  for await (const file of glob(join(import.meta.dirname, '../../wasm/detection/*.ts')))
    lines += (await readFile(file, 'utf8')).split('\n').length - 1
  return lines
}

const costTable = (costs: readonly PhotoCost[]): string =>
  table([
    ['detection with decoding, in this process', 'CPU ms', 'faces', 'limited'],
    ...costs
      .toSorted((a, b) => b.cpuMs - a.cpuMs)
      .map(({ photo, cpuMs, faces, limited }) => [photo, cpuMs, faces, limited ? 'yes' : '']),
  ])

/** Mien, and the requested peers that are available. */
async function contestants(
  values: Record<string, string | boolean | undefined>,
): Promise<Pick<DetectSetup, 'contestants' | 'yunet'>> {
  const yunet = fromCaller(String(values.yunet ?? '../shared/models/reference/yunet_n_dynamic.onnx'))
  const requested = values.peers === undefined ? undefined : String(values.peers).split(',')
  const isThere = await exists(yunet)
  const peers = PEERS.filter(
    name => (requested?.includes(name) ?? true) && (isThere || !name.startsWith('yunet')),
  )
  return { contestants: ['mien', ...peers], yunet }
}

const named = <Value>(value: (size: number) => Value): Record<string, Value> =>
  Object.fromEntries(SIZES.map(size => [`>=${size} px`, value(size)]))

/** Figures of one detector: average precision over all scores; recall and precision of reported faces; time. */
function summary(photos: readonly (Judged & Said)[]) {
  const { name, usual } = photos[0]!
  return {
    name,
    averagePrecision: named(size => fixed(averagePrecision(photos, size, ENOUGH_OVERLAP), 3)),
    reported: named(size => {
      const { recall, precision } = atScore(photos, size, ENOUGH_OVERLAP, usual)
      return { recall: fixed(recall, 3), precision: fixed(precision, 3) }
    }),
    medianMs: fixed(median(photos.map(({ milliseconds }) => milliseconds))),
  }
}

function tableOf(results: readonly ReturnType<typeof summary>[]): string {
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
