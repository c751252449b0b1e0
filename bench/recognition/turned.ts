/** Measures detection and recognition of rotated faces: by roll of the picture, and by yaw between pictures. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import sharp from 'sharp'
import { THRESHOLDS } from '#contract/model/thresholds.ts'
import { calibrated } from '#core/calibration/scale.ts'
import { type Embedder, openEmbedder } from '#core/embedding/embedder.ts'
import { dot, unitVector } from '#core/vector-store/unit-vector.ts'
import { STANDARD } from '#models/manifest.ts'
import { readHeader } from '#wasm/decode/header.ts'
import { analyzePhoto, type VisionModels } from '#wasm/pipeline.ts'
import { evenly, exists, fixed, fromCaller, type Outcome, quantile, table } from '../benchmark.ts'
import { openTestModels } from '../harness/vision.ts'
import { offCentre } from '../lib/measures/choice.ts'

export const description = 'detection and recognition of faces rotated in the plane and to the side, by angle'

export const options = { images: { type: 'string' }, limit: { type: 'string' } } as const

/** Degrees by which pictures are rotated, in both directions. */
const ROLLS = [0, 15, 30, 45, 60, 90]

/** Lower bounds of the yaw ranges, in degrees. */
const YAWS = [0, 10, 20, 30, 40]

const LIMIT = 200

/** The central face of a picture. */
interface Seen {
  person: string
  yaw: number
  embedding: Float32Array
}

export async function run(values: {
  /** A folder of pictures per person. */
  images?: string
  /** Number of pictures to rotate. */
  limit?: string
}): Promise<Outcome> {
  const images = fromCaller(values.images ?? '../shared/data/lfw-dev')
  if (!(await exists(images))) return { table: `skipped: there is no ${images}`, result: { skipped: true } }
  const models = await openTestModels()
  const embedder = await openEmbedder()
  const see = (path: string, roll: number) => centralFace(models, embedder, path, roll)
  try {
    const paths = await picturesOfPeopleWithSeveral(images)
    const rolled = await turnAll(evenly(paths, Number(values.limit ?? LIMIT)), see)
    const sides = await compareSides(paths, see)
    const rolls = ['turned by', 'pictures', 'found', 'median score', 'lowest twentieth', 'medium']
    const yaws = ['greater yaw', 'pairs', 'strict', 'medium', 'low']
    return {
      table: [
        table([rolls, ...rolled.map(row => Object.values(row))]),
        table([yaws, ...sides.map(row => Object.values(row))]),
      ].join('\n\n'),
      result: { rolls: rolled, yaws: sides },
    }
  } finally {
    await embedder.close()
  }
}

type See = (path: string, roll: number) => Promise<Seen | undefined>

/** Rotates each picture by each angle in both directions, and compares it with the unrotated picture. */
async function turnAll(paths: readonly string[], see: See) {
  const scores = new Map<number, (number | undefined)[]>(ROLLS.map(roll => [roll, []]))
  for (const path of paths) {
    const upright = await see(path, 0)
    if (!upright) continue
    for (const roll of ROLLS) {
      for (const turn of roll === 0 ? [0] : [roll, -roll]) {
        const seen = await see(path, turn)
        scores.get(roll)!.push(seen && dot(seen.embedding, upright.embedding, 0))
      }
    }
  }
  return [...scores].map(([roll, all]) => {
    const found = all.filter(score => score !== undefined)
    return {
      roll,
      pictures: all.length,
      found: share(found.length, all.length),
      median: fixed(quantile(found, 0.5), 4),
      low: fixed(quantile(found, 0.05), 4),
      medium: share(found.filter(reaches('medium')).length, found.length),
    }
  })
}

/**
 * Compares all pairs of pictures of one person, grouped by the greater yaw of the two: how many reach each threshold.
 */
async function compareSides(paths: readonly string[], see: See) {
  const faces = (await inTurn(paths, path => see(path, 0))).filter(face => face !== undefined)
  const pairs = [...Map.groupBy(faces, ({ person }) => person).values()].flatMap(same =>
    same.flatMap((a, i) =>
      same.slice(0, i).map(b => ({
        yaw: Math.max(Math.abs(a.yaw), Math.abs(b.yaw)),
        score: dot(a.embedding, b.embedding, 0),
      })),
    ),
  )
  return YAWS.map((from, i) => {
    const to = YAWS[i + 1] ?? 90
    const scores = pairs.filter(({ yaw }) => yaw >= from && yaw < to).map(({ score }) => score)
    const above = (name: keyof typeof THRESHOLDS) => share(scores.filter(reaches(name)).length, scores.length)
    return {
      yaw: `${from} to ${to}`,
      pairs: scores.length,
      strict: above('strict'),
      medium: above('medium'),
      low: above('low'),
    }
  })
}

const confidence = calibrated(STANDARD.embedder.calibration.default)
const reaches =
  (name: keyof typeof THRESHOLDS) =>
  (score: number): boolean =>
    confidence(score) >= THRESHOLDS[name]

const share = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${fixed((100 * part) / whole)} %`

/** The face in the middle of a picture after rotation; undefined when no face is found there. */
async function centralFace(
  models: VisionModels,
  embedder: Embedder,
  path: string,
  roll: number,
): Promise<Seen | undefined> {
  const bytes = new Uint8Array(await turned(await readFile(path), roll))
  const options = { maxBytes: 2 ** 30, param: 'photo' }
  const { selected } = await analyzePhoto(
    models,
    bytes,
    { selector: 'any', boxes: [], quality: true },
    options,
  )
  const size = readHeader(bytes)
  const [face] = selected.toSorted((a, b) => offCentre(a.box, size) - offCentre(b.box, size))
  if (!face || offCentre(face.box, size) > face.box.x2 - face.box.x1) return undefined
  const [vector] = await embedder.embed([face.chip])
  return { person: basename(dirname(path)), yaw: face.quality!.yaw, embedding: unitVector(vector!) }
}

const turned = async (bytes: Buffer, roll: number): Promise<Buffer> =>
  roll === 0 ? bytes : sharp(bytes).rotate(roll, { background: '#808080' }).jpeg({ quality: 95 }).toBuffer()

/** Paths of pictures of people with several pictures. A person's pictures lie in a folder with the person's name. */
async function picturesOfPeopleWithSeveral(folder: string): Promise<string[]> {
  const files = (await readdir(folder, { recursive: true })).filter(file => /^[^/]+\/.*\.jpe?g$/i.test(file))
  return [...Map.groupBy(files.sort(), dirname).values()]
    .filter(same => same.length > 1)
    .flatMap(same => same.map(file => join(folder, file)))
}

async function inTurn<Item, Result>(
  items: readonly Item[],
  once: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await once(item))
  return results
}
