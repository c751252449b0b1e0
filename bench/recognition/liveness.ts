/** Measures liveness on photos of people and on simulated attacks with the same photos. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type ResizeOptions } from 'sharp'
import type { Box } from '#contract/model/bbox.ts'
import { seededRandom } from '#core/vector-store/index/seeded-random.ts'
import type { Raster } from '#wasm/imaging/image.ts'
import { benchmark, existing, exists, fromCaller, progress } from '../benchmark.ts'
import { facesOn, openAnalysis, picturesIn, pixelsOf } from '../lib/faces/analysis.ts'
import { ATTACKS, COPIES, PICTURE } from '../lib/liveness/attacks.ts'
import { evenly, fixed, quantile } from '../statistics.ts'

/** Values of `min_liveness`. */
const THRESHOLDS = [0.1, 0.3, 0.5, 0.7, 0.9] as const

/** Maximum longer side of the attacker's picture, in pixels. */
const ATTACKER_SIDE = 900

/** Undefined when no face was found. The request is then rejected, for live persons and attacks alike. */
type Score = number | undefined

/** The biggest face on a photo and its liveness. */
type Judge = (photo: Uint8Array) => Promise<{ box: Box; score: number } | undefined>

export default benchmark({
  description:
    'attack and bona fide presentations: APCER of each simulated attack, BPCER of photos (ISO/IEC 30107-3)',
  options: {
    /** Photos of people in daily life, with faces as large as the network expects. */
    images: '../shared/data/photos',
    /** Photos with small faces, of which so many are only scored. */
    small: '../shared/data/lfw-dev',
    smallLimit: 300,
    /** Number of photos used for attacks. */
    limit: 40,
  },
  async run({ images, small, smallLimit, limit }) {
    const photos = await pathsIn(await existing(images))
    const judge = await openJudge()
    const kinds = { photos, small: evenly(await pathsIn(fromCaller(small)), smallLimit) }
    const bonaFide = []
    for (const [kind, paths] of Object.entries(kinds)) {
      const scores: Score[] = []
      for (const path of paths) scores.push((await judge(await readFile(path)))?.score)
      bonaFide.push({ kind, ...summary(scores, 'BPCER', (score, least) => score < least) })
      progress(`${kind}: ${scores.length}`)
    }
    const attacks = [...(await attacked(judge, evenly(photos, limit)))].map(([kind, scores]) => ({
      kind: COPIES.includes(kind) ? `${kind} (no camera)` : kind,
      ...summary(scores, 'APCER', (score, least) => score >= least),
    }))
    return { bonaFide, attacks }
  },
})

const pathsIn = async (folder: string): Promise<string[]> =>
  (await exists(folder)) ? (await picturesIn(folder)).map(file => join(folder, file)) : []

async function openJudge(): Promise<Judge> {
  const models = await openAnalysis()
  return async photo => {
    const [face] = await facesOn(models, photo, { selector: 'biggest', liveness: true })
    return face && { box: face.box, score: face.liveness! }
  }
}

/** Liveness of each attack with each of these photos. The background is a blurred photo of another person. */
async function attacked(judge: Judge, paths: readonly string[]): Promise<Map<string, Score[]>> {
  const scores = new Map(Object.keys(ATTACKS).map(name => [name, [] as Score[]]))
  for (const [i, path] of paths.entries()) {
    const side = { width: ATTACKER_SIDE, height: ATTACKER_SIDE, withoutEnlargement: true }
    const photo = await resized(path, { ...side, fit: 'inside' })
    const file = sharp(photo.data, { raw: { width: photo.width, height: photo.height, channels: 3 } })
    const face = await judge(await file.jpeg({ quality: 95 }).toBuffer())
    if (!face) continue
    const background = await resized(paths[(i + 1) % paths.length]!, { ...PICTURE, fit: 'cover' }, 4)
    for (const [n, [name, attack]] of Object.entries(ATTACKS).entries()) {
      const random = seededRandom(100 * i + n)
      const picture = await attack({ ...photo, face: face.box, background, random })
      scores.get(name)!.push((await judge(picture))?.score)
    }
    progress(`attacks with ${i + 1} of ${paths.length} photos`)
  }
  return scores
}

async function resized(path: string, size: ResizeOptions, blur = 0): Promise<Raster> {
  const upright = sharp(await readFile(path))
    .autoOrient()
    .resize(size)
  return pixelsOf(blur > 0 ? upright.blur(blur) : upright)
}

/** The share of wrong decisions at each threshold, among photos with a face. */
function summary(scores: readonly Score[], name: string, isWrong: (score: number, least: number) => boolean) {
  const found = scores.filter(score => score !== undefined)
  const wrong = (least: number) => found.filter(score => isWrong(score, least)).length / found.length
  return {
    presentations: scores.length,
    found: found.length,
    median: fixed(quantile(found, 0.5), 3),
    [name]: Object.fromEntries(THRESHOLDS.map(least => [`at ${least}`, fixed(wrong(least), 3)])),
  }
}
