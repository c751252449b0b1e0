/**
 * Judges who somebody is: the confidence that a match needs in a gallery, and how sure a match is. Everything that turns scores of
 * a search into words does so here. The gallery decides: its number of people, and how alike they are.
 */
import { environment } from '../../../contract/environment.ts'
import { FACE_LIMITS, SEARCH_LIMITS } from '../../../contract/limits/faces.ts'
import {
  type FalseAlarmBound,
  type SearchTarget,
  THRESHOLDS,
  type Verdict,
} from '../../../contract/model/face.ts'
import { DEFAULT_GALLERY, storeGallery } from '../../../contract/model/gallery.ts'
import { fourDecimals, leastScore, type Scale } from '../../calibration/scale.ts'
import { alikenessOf, type OwnedGallery } from '../../metadata/queries/alikenesses.ts'
import { faceCount } from '../../metadata/queries/faces.ts'
import { nextChecked } from '../../metadata/queries/gallery-check.ts'
import { labelOf } from '../../metadata/queries/labelled-faces.ts'
import { StoreUnavailable } from '../../vector-store/vector-store.ts'
import type { Services } from '../services.ts'
import { measureAlikeness } from './alikeness.ts'
import type { Kept, Measured } from './alikenesses.ts'
import { assumedOf, scoreAtFpir } from './threshold.ts'

/** How to read the scores of searches in a gallery. */
export interface Judgement {
  /** The least confidence of a match, so that this share of strangers has one. */
  bound(fpir: number): FalseAlarmBound
  /**
   * How sure a match with this confidence is; undefined for one that shows nothing. `people`: how many were compared, instead of all.
   */
  verdict(confidence: number, people?: number): Verdict | undefined
}

type JudgedServices = Pick<Services, 'database' | 'vectors' | 'scale' | 'alikenesses'>

/** The judgement of a gallery at its present size. */
export async function judgementOf(
  services: JudgedServices,
  gallery: OwnedGallery,
  target: SearchTarget,
): Promise<Judgement> {
  const { scale } = services
  const faces = await facesIn(services, gallery)
  const { faces: measuredFaces, ...measured } = await alikenessIn(services, gallery, target, faces)
  const present = { ...measured, people: (measured.people * faces) / Math.max(1, measuredFaces) }
  const assumed = assumedOf({
    low: leastScore(scale, THRESHOLDS.low),
    medium: leastScore(scale, THRESHOLDS.medium),
  })
  const thresholdAt = (fpir: number, people = present.people): number => {
    const score = scoreAtFpir({ ...present, people }, assumed, fpir)
    return fourDecimals(Math.max(0, scale.confidence(Math.min(1, score))))
  }
  const bound = (fpir: number): FalseAlarmBound => ({
    fpir,
    threshold: thresholdAt(fpir),
    faces,
    people: Math.round(present.people),
    ...(measured.pairs < FACE_LIMITS.judgedPairs && { guess: true }),
  })
  return {
    bound,
    verdict(confidence, people) {
      if (confidence >= thresholdAt(SEARCH_LIMITS.certainFpir, people)) return 'certain'
      return confidence >= thresholdAt(SEARCH_LIMITS.probableFpir, people) ? 'probable' : undefined
    },
  }
}

/** The verdict of a match as a field of it. */
export function verdictField(judgement: Judgement, confidence: number): { verdict?: Verdict } {
  const verdict = judgement.verdict(confidence)
  return verdict ? { verdict } : {}
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

/** Number of vectors of a gallery of the store. */
export const sizeOf = (gallery: { linear: number; preindex: number; indexed: number } | undefined): number =>
  gallery ? gallery.linear + gallery.preindex + gallery.indexed : 0

/** Pairs that score more are one human under two names in most cases. */
export const sameHuman = (scale: Scale): number => leastScore(scale, THRESHOLDS.strict)

/** Names how stored measurements were made. Others are not read. */
export const methodOf = (scale: Scale): string => `pairs ${scale.label}`

/** Nobody was compared: each face counts as a person. */
const unmeasured = (faces: number): Measured => ({
  ...{ people: faces, faces, pairs: 0 },
  ...{ mean: 0, deviation: 0, hundredth: 0, thousandth: 0 },
})

/** Large galleries are measured in the background (measure-galleries.ts), others when they have changed. */
async function alikenessIn(
  services: JudgedServices,
  gallery: OwnedGallery,
  target: SearchTarget,
  faces: number,
): Promise<Measured> {
  const { database, scale, alikenesses } = services
  if (faces > FACE_LIMITS.judgedAtOnce) {
    const stored = await alikenessOf(database, gallery, target)
    if (stored?.scale !== methodOf(scale) || !stored.alikeness) return unmeasured(faces)
    return { ...stored.alikeness, people: stored.people, faces: stored.faces }
  }
  const key = [gallery.owner, gallery.gallery, target, scale.label].join(' ')
  const labels = faces <= EXACT_FACES ? await labelsIn(services, gallery) : ''
  const known = alikenesses.get(key)
  if (known && isCurrent(known, faces, labels)) return known.measured
  const bar = sameHuman(scale)
  const measured = measureAlikeness(services, gallery, target, bar).then(found => ({ ...found, faces }))
  alikenesses.set(key, { measured, faces, labels, since: environment.monotonic() })
  return measured.catch(error => {
    alikenesses.delete(key)
    if (!(error instanceof StoreUnavailable)) throw error
    return known?.measured ?? unmeasured(faces)
  })
}

/** Faces up to which each change of a gallery counts at once. */
const EXACT_FACES = 100

/** Share of the further faces that may change, and the age, until a gallery is measured again. */
const CHANGE = 0.05
const AGE_MS = 60_000

const isCurrent = (kept: Kept, faces: number, labels: string): boolean =>
  kept.labels === labels &&
  Math.abs(faces - kept.faces) <= CHANGE * Math.max(0, kept.faces - EXACT_FACES) &&
  (faces <= EXACT_FACES || environment.monotonic() - kept.since < AGE_MS)

async function labelsIn({ database }: JudgedServices, gallery: OwnedGallery): Promise<string> {
  const faces = await nextChecked(database, gallery, -1, EXACT_FACES + 1)
  return JSON.stringify(faces.map(face => [face.id, labelOf(face)]))
}
