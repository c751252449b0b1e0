/** Measures liveness on photos of people and on simulated attacks with the same photos. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { ServiceError } from '#contract/errors.ts'
import type { Box } from '#contract/model/bbox.ts'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import { readModel } from '#models/files.ts'
import { loadCodecs } from '#wasm/decode/codecs.node.ts'
import { analyzePhoto, openVisionModels } from '#wasm/pipeline.ts'
import { openRuntime } from '#wasm/runtime/runtime.node.ts'
import { evenly, exists, fixed, fromCaller, type Outcome, progress, quantile, table } from '../benchmark.ts'
import { ATTACKS, COPIES, PICTURE } from '../lib/liveness/attacks.ts'
import type { Pixels } from '../lib/measures/degrade.ts'

export const description =
  'attack and bona fide presentations: APCER of each simulated attack, BPCER of photos (ISO/IEC 30107-3)'

export const options = {
  images: { type: 'string' },
  small: { type: 'string' },
  limit: { type: 'string' },
} as const

/** Photos of people in daily life, with faces as large as the network expects; and photos with small faces. */
const IMAGES = '../shared/data/photos'
const SMALL = '../shared/data/lfw-dev'

/** Number of photos used for attacks, and number of small photos that are only scored. */
const LIMIT = 40
const SMALL_LIMIT = 300

/** Values of `min_liveness`. */
const THRESHOLDS = [0.1, 0.3, 0.5, 0.7, 0.9] as const

/** Maximum longer side of the attacker's picture, in pixels. */
const ATTACKER_SIDE = 900

/** Undefined when no face was found. The request is then rejected, for live persons and attacks alike. */
type Score = number | undefined

/** The biggest face on a photo and its liveness. */
type Judge = (photo: Uint8Array) => Promise<{ box: Box; score: number } | undefined>

interface Values {
  images?: string
  small?: string
  limit?: string
}

export async function run(values: Values): Promise<Outcome> {
  const images = fromCaller(values.images ?? IMAGES)
  if (!(await exists(images))) return { table: `skipped: there is no ${images}`, result: { skipped: true } }
  const judge = await openJudge()
  const small = fromCaller(values.small ?? SMALL)
  const files = { photos: await picturesIn(images), small: evenly(await picturesIn(small), SMALL_LIMIT) }
  const bonaFide = []
  for (const [kind, paths] of Object.entries(files)) {
    const scores = await scoresOf(judge, paths)
    bonaFide.push({ kind, ...summary(scores), BPCER: shares(scores, (score, limit) => score < limit) })
    progress(`${kind}: ${scores.length}`)
  }
  const scores = await attacked(judge, evenly(files.photos, Number(values.limit ?? LIMIT)))
  const attacks = [...scores].map(([kind, all]) => ({
    kind,
    ...summary(all),
    APCER: shares(all, (score, limit) => score >= limit),
  }))
  return { table: tablesOf(bonaFide, attacks), result: { thresholds: THRESHOLDS, bonaFide, attacks } }
}

/** Paths of every picture in the folder and its subfolders. */
async function picturesIn(folder: string): Promise<string[]> {
  if (!(await exists(folder))) return []
  const files = await readdir(folder, { recursive: true })
  return files
    .filter(file => /\.(jpe?g|png|webp)$/i.test(file))
    .sort()
    .map(file => join(folder, file))
}

async function openJudge(): Promise<Judge> {
  const models = await openVisionModels(await openRuntime(), loadCodecs(), readModel)
  const selection = { selector: 'biggest' as const, boxes: [], liveness: true }
  return async photo => {
    const seen = analyzePhoto(models, photo, selection, { maxBytes: 2 ** 30, param: 'photo' })
    const { selected } = await seen.catch(nothingFound)
    const [face] = selected
    return face && { box: face.box, score: face.liveness! }
  }
}

function nothingFound(error: unknown): { selected: [] } {
  if (!(error instanceof ServiceError) || error.code !== 'NO_FACES') throw error
  return { selected: [] }
}

async function scoresOf(judge: Judge, paths: readonly string[]): Promise<Score[]> {
  const scores: Score[] = []
  for (const path of paths) scores.push((await judge(new Uint8Array(await readFile(path))))?.score)
  return scores
}

/** Liveness of each attack with each of these photos. The background is a blurred photo of another person. */
async function attacked(judge: Judge, paths: readonly string[]): Promise<Map<string, Score[]>> {
  const scores = new Map(Object.keys(ATTACKS).map(name => [name, [] as Score[]]))
  for (const [i, path] of paths.entries()) {
    const photo = await pixelsOf(path)
    const face = await judge(await encoded(photo))
    if (!face) continue
    const background = await behind(paths[(i + 1) % paths.length]!)
    for (const [n, [name, attack]] of Object.entries(ATTACKS).entries()) {
      const random = seededRandom(100 * i + n)
      const picture = await attack({ ...photo, face: face.box, background, random })
      scores.get(name)!.push((await judge(picture))?.score)
    }
    progress(`attacks with ${i + 1} of ${paths.length} photos`)
  }
  return scores
}

async function pixelsOf(path: string): Promise<Pixels> {
  const size = {
    width: ATTACKER_SIDE,
    height: ATTACKER_SIDE,
    fit: 'inside',
    withoutEnlargement: true,
  } as const
  return decoded(
    sharp(await readFile(path))
      .autoOrient()
      .resize(size),
  )
}

const behind = async (path: string): Promise<Pixels> =>
  decoded(
    sharp(await readFile(path))
      .autoOrient()
      .resize({ ...PICTURE, fit: 'cover' })
      .blur(4),
  )

async function decoded(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data: new Uint8Array(data), width: info.width, height: info.height }
}

const encoded = async ({ data, width, height }: Pixels): Promise<Uint8Array> =>
  new Uint8Array(
    await sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 95 })
      .toBuffer(),
  )

const foundScores = (scores: readonly Score[]): number[] => scores.filter(score => score !== undefined)

const summary = (scores: readonly Score[]) => ({
  presentations: scores.length,
  found: foundScores(scores).length,
  median: fixed(quantile(foundScores(scores), 0.5), 3),
})

/** Share of wrong decisions at each threshold, among photos with a face. */
const shares = (scores: readonly Score[], isWrong: (score: number, threshold: number) => boolean) =>
  THRESHOLDS.map(threshold =>
    fixed(
      foundScores(scores).filter(score => isWrong(score, threshold)).length / foundScores(scores).length,
      3,
    ),
  )

interface Row extends ReturnType<typeof summary> {
  kind: string
}

function tablesOf(bonaFide: (Row & { BPCER: number[] })[], attacks: (Row & { APCER: number[] })[]): string {
  const head = (rate: string) => [
    '',
    'faces',
    'found',
    'median',
    ...THRESHOLDS.map(limit => `${rate} at ${limit}`),
  ]
  const row = ({ kind, presentations, found, median }: Row, rates: number[]) => [
    COPIES.includes(kind) ? `${kind} (no camera)` : kind,
    presentations,
    found,
    median,
    ...rates,
  ]
  return [
    table([head('BPCER'), ...bonaFide.map(one => row(one, one.BPCER))]),
    table([head('APCER'), ...attacks.map(one => row(one, one.APCER))]),
  ].join('\n\n')
}
