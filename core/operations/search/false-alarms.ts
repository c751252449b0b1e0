/**
 * Bounds the false alarms of searches: finds the threshold at which a given share of strangers has a candidate (FPIR).
 *
 * The gallery itself tells it. Each enrolled person, searched among the other people of the gallery, scores like a stranger.
 * measure-false-alarms.ts measures these scores. A small gallery has too few people: its threshold comes also, or only, from the
 * false match rates of the calibration.
 */

import { FACE_LIMITS, SEARCH_LIMITS } from '../../../contract/limits/faces.ts'
import {
  type FalseAlarmBound,
  type SearchTarget,
  THRESHOLDS,
  type Verdict,
} from '../../../contract/model/face.ts'
import { DEFAULT_GALLERY, storeGallery } from '../../../contract/model/gallery.ts'
import { scoreAbove, type Tail } from '../../calibration/pareto.ts'
import { fourDecimals } from '../../calibration/scale.ts'
import { faceCount } from '../../metadata/queries/faces.ts'
import {
  falseAlarmsOf,
  nextLabelled,
  type OwnedGallery,
  peopleAmong,
} from '../../metadata/queries/false-alarms.ts'
import { StoreUnavailable } from '../../vector-store/vector-store.ts'
import type { Services } from '../services.ts'

type BoundServices = Pick<Services, 'database' | 'vectors' | 'scale'>

/** The bounds of searches in a gallery at its present size, by their FPIR. */
export async function falseAlarmBounds(
  { database, vectors, scale }: BoundServices,
  gallery: OwnedGallery,
  target: SearchTarget,
): Promise<(fpir: number) => FalseAlarmBound> {
  const measured = await falseAlarmsOf(database, gallery, target)
  const faces = await facesIn({ database, vectors }, gallery)
  const isCurrent = measured?.scale === scale.label && faces >= FACE_LIMITS.measuredPeople
  const { tail, probes = 0 } = isCurrent ? measured : {}
  const people = faces < FACE_LIMITS.measuredPeople ? await peopleIn(database, gallery, target) : probes
  return fpir => {
    const promised = confidenceAt(fpir / Math.max(faces, 1))
    const threshold =
      measured && tail
        ? weighted(
            measuredThreshold(tail, probes, (fpir * measured.faces) / Math.max(faces, 1)),
            promised,
            probes,
          )
        : promised
    return {
      fpir,
      threshold: fourDecimals(Math.max(0, Math.min(1, threshold))),
      faces,
      people,
    }
  }
}

/** The measured threshold, and that of the calibration as far as people are missing to trust the measurement. */
function weighted(measured: number, promised: number, people: number): number {
  const share = Math.min(1, people / FACE_LIMITS.trustedPeople)
  return share * measured + (1 - share) * promised
}

/** Number of faces of a gallery: from the store, which knows it, or from the metadata while a shard is unavailable. */
async function facesIn(
  { database, vectors }: Pick<Services, 'database' | 'vectors'>,
  { owner, gallery }: OwnedGallery,
): Promise<number> {
  try {
    return sizeOf(await vectors.gallery(storeGallery(owner, gallery)))
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return faceCount(database, owner, gallery === DEFAULT_GALLERY ? {} : { gallery })
  }
}

/** Number of people of a gallery that is too small for a measurement. */
async function peopleIn(
  database: BoundServices['database'],
  { owner, gallery }: OwnedGallery,
  target: SearchTarget,
): Promise<number> {
  const named = gallery === DEFAULT_GALLERY ? undefined : gallery
  const page = { owner, gallery: named, above: -1, limit: FACE_LIMITS.measuredPeople }
  return peopleAmong(await nextLabelled(database, page), target)
}

/** How sure a match with this confidence is, by its false alarms. */
export function verdictAt(
  confidence: number,
  bounds: (fpir: number) => FalseAlarmBound,
): { verdict?: Verdict } {
  if (confidence >= bounds(SEARCH_LIMITS.certainFpir).threshold) return { verdict: 'certain' }
  return confidence >= bounds(SEARCH_LIMITS.probableFpir).threshold ? { verdict: 'probable' } : {}
}

/** Number of vectors of a gallery of the store. */
export const sizeOf = (gallery: { linear: number; preindex: number; indexed: number } | undefined): number =>
  gallery ? gallery.linear + gallery.preindex + gallery.indexed : 0

/**
 * The confidence that a share of the probes exceeds. The share is reduced as if one more probe had exceeded it: a measurement
 * with few probes errs on the side of fewer false alarms.
 */
function measuredThreshold(tail: Tail, probes: number, share: number): number {
  const expected = share * probes
  return scoreAbove(tail, (share * expected) / (expected + 1))
}

/** False match rates that the calibration promises, as powers of ten, and their confidences; see docs/decisions/0018-calibration.md. */
const PROMISED = [
  [-1, THRESHOLDS.low],
  [-3, THRESHOLDS.medium],
  [-5, THRESHOLDS.strict],
  [-7, 1],
] as const

/** The confidence at a false match rate: linear in its logarithm between the promised rates, and beyond them. */
function confidenceAt(rate: number): number {
  const power = Math.log10(rate)
  const next = PROMISED.findIndex(([at], i) => i > 0 && (power >= at || i === PROMISED.length - 1))
  const [[x0, y0], [x1, y1]] = [PROMISED[next - 1]!, PROMISED[next]!]
  return y0 + ((power - x0) / (x1 - x0)) * (y1 - y0)
}
