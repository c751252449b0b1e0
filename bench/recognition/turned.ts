/** Measures detection and recognition of rotated faces: by roll of the picture, and by yaw between pictures. */
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import sharp from 'sharp'
import { THRESHOLDS, type ThresholdName } from '#contract/model/thresholds.ts'
import { calibrated } from '#core/calibration/scale.ts'
import { openEmbedder } from '#core/embedding/embedder.ts'
import { dot, unitVector } from '#core/vector-store/unit-vector.ts'
import { STANDARD } from '#models/manifest.ts'
import { readHeader } from '#wasm/decode/header.ts'
import { benchmark, existing } from '../benchmark.ts'
import { facesOn, mostCentral, offCentre, openAnalysis, picturesByPerson } from '../lib/faces/analysis.ts'
import type { Rig } from '../rig.ts'
import { evenly, fixed, percent, quantile } from '../statistics.ts'

/** Degrees by which pictures are rotated, in both directions. */
const ROLLS = [0, 15, 30, 45, 60, 90]

/** Lower bounds of the yaw ranges, in degrees. */
const YAWS = [0, 10, 20, 30, 40]

/** The central face of a picture. */
interface Seen {
  person: string
  yaw: number
  embedding: Float32Array
}

/** The face in the middle of a picture after rotation; undefined when no face is found there. */
type See = (path: string, roll: number) => Promise<Seen | undefined>

export default benchmark({
  description: 'detection and recognition of faces rotated in the plane and to the side, by angle',
  options: {
    /** A folder of pictures per person. */
    images: '../shared/data/lfw-dev',
    /** Number of pictures to rotate. */
    limit: 200,
    /** Maximum number of people with several pictures; 0 for all. */
    people: 0,
  },
  async run({ images, limit, people }, rig) {
    const folder = await existing(images)
    const several = (await picturesByPerson(folder)).filter(([, files]) => files.length > 1)
    const chosen = several.slice(0, people || undefined)
    const paths = chosen.flatMap(([, files]) => files.map(file => join(folder, file)))
    const see = await openSee(rig)
    return { rolls: await turnAll(evenly(paths, limit), see), yaws: await compareSides(paths, see) }
  },
})

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
      medium: share(reaching(found, 'medium'), found.length),
    }
  })
}

/** Compares all pairs of pictures of one person, grouped by the greater yaw of the two. */
async function compareSides(paths: readonly string[], see: See) {
  const faces: Seen[] = []
  for (const path of paths) faces.push(...((await see(path, 0).then(face => face && [face])) ?? []))
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
    const above = (name: ThresholdName) => share(reaching(scores, name), scores.length)
    return {
      ...{ yaw: `${from} to ${to}`, pairs: scores.length },
      ...{ strict: above('strict'), medium: above('medium'), low: above('low') },
    }
  })
}

const confidence = calibrated(STANDARD.embedder.calibration.default)

const reaching = (scores: readonly number[], name: ThresholdName): number =>
  scores.filter(score => confidence(score) >= THRESHOLDS[name]).length

const share = (part: number, whole: number): string => (whole === 0 ? '-' : percent(part / whole))

async function openSee(rig: Rig): Promise<See> {
  const models = await openAnalysis()
  const embedder = await openEmbedder()
  rig.defer(() => embedder.close())
  return async (path, roll) => {
    const file = await readFile(path)
    const turned = sharp(file).rotate(roll, { background: '#808080' }).jpeg({ quality: 95 })
    const bytes = new Uint8Array(roll === 0 ? file : await turned.toBuffer())
    const size = readHeader(bytes)
    const face = mostCentral(await facesOn(models, bytes, { selector: 'any', quality: true }), size)
    if (!face || offCentre(face.box, size) > face.box.x2 - face.box.x1) return undefined
    const [vector] = await embedder.embed([face.chip])
    return { person: basename(dirname(path)), yaw: face.quality!.yaw, embedding: unitVector(vector!) }
  }
}
