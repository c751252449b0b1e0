/**
 * Judges matches: the confidence that a match needs in a gallery, and how sure a match is. Everything that turns scores of
 * a search into words does so here. The gallery decides: its number of people, and how alike they are.
 */
import { hash } from 'node:crypto'
import { environment } from '../../../../contract/environment.ts'
import { FACE_LIMITS, SEARCH_LIMITS } from '../../../../contract/limits/faces.ts'
import type { FalseAlarmBound, SearchTarget, Verdict } from '../../../../contract/model/face.ts'
import { DEFAULT_GALLERY, storeGallery } from '../../../../contract/model/gallery.ts'
import { fourDecimals, type Scale } from '../../../calibration/scale.ts'
import { faceCount, labelOf } from '../../../metadata/faces/faces.ts'
import { alikenessOf, type OwnedGallery } from '../../../metadata/galleries/alikenesses.ts'
import { nextChecked } from '../../../metadata/galleries/gallery-check.ts'
import { personCount } from '../../../metadata/persons/persons.ts'
import { StoreUnavailable } from '../../../vector-store/vector-store.ts'
import type { Services } from '../../services.ts'
import { measureAlikeness } from './alikeness.ts'
import type { Kept, Measured } from './alikeness-cache.ts'
import { assumedOf, scoreAtFpir } from './threshold.ts'

/** How to read the scores of searches in a gallery. */
export interface Judgement {
  /** The least confidence of a match at which this share of strangers has a match. */
  bound(fpir: number): FalseAlarmBound
  /**
   * Certainty of a match with this confidence; undefined for a confidence that shows nothing. `people`: how many were compared,
   * instead of all.
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
  const isOfPersons = countsPersons(gallery, target)
  const size = isOfPersons ? await personsOf(services, gallery.owner) : faces
  const measured = await alikenessIn(services, gallery, target, { faces, size })
  const people = isOfPersons ? size : (measured.people * size) / Math.max(1, measured.size)
  const assumed = assumedOf(scale.strangers)
  const thresholdAt = (fpir: number, compared = people) => {
    const score = scoreAtFpir({ ...measured, people: compared }, assumed, fpir)
    return fourDecimals(Math.max(0, scale.confidence(Math.min(1, score))))
  }
  const bound = (fpir: number): FalseAlarmBound => ({
    fpir,
    threshold: thresholdAt(fpir),
    faces,
    people: Math.round(people),
    ...(measured.pairs < FACE_LIMITS.judgedPairs && { guess: true }),
  })
  return {
    bound,
    verdict(confidence, compared) {
      if (confidence >= thresholdAt(SEARCH_LIMITS.certainFpir, compared)) return 'certain'
      return confidence >= thresholdAt(SEARCH_LIMITS.probableFpir, compared) ? 'probable' : undefined
    },
  }
}

/** Persons up to which each change of their number counts at once. */
const EXACT_PERSONS = 1_000

/** A count reads all persons: 10 ms for 250,000. It is used for a millisecond per 100 persons, so counts take less than 1 % of the time. */
const COUNTED_PERSONS_PER_MS = 100

/** The number of persons of an owner. */
async function personsOf({ database, alikenesses }: JudgedServices, owner: string) {
  const now = environment.monotonic()
  const known = alikenesses.personCounts.get(owner)
  if (known && now < known.until) return known.count
  const count = await personCount(database, owner)
  alikenesses.personCounts.delete(owner)
  if (count > EXACT_PERSONS)
    alikenesses.personCounts.set(owner, { count, until: now + count / COUNTED_PERSONS_PER_MS })
  return count
}

/** Whether the size of the measured set is the number of the owner's persons. Groupings and merges change it without new faces. */
export const countsPersons = ({ gallery }: OwnedGallery, target: SearchTarget): boolean =>
  target === 'persons' && gallery === DEFAULT_GALLERY

/** The verdict of a match as a field of it. */
export function verdictField(judgement: Judgement, confidence: number): { verdict?: Verdict } {
  const verdict = judgement.verdict(confidence)
  return verdict ? { verdict } : {}
}

/** Number of faces of a gallery: from the store, which knows it, or from the metadata while a shard is unavailable. */
async function facesIn(
  { database, vectors }: Pick<Services, 'database' | 'vectors'>,
  { owner, gallery }: OwnedGallery,
) {
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

/** Names how stored measurements were made. Others are not read. */
export const methodOf = (scale: Scale): string => `pairs ${scale.label}`

/** No people were compared: each face counts as a person. */
const unmeasured = (size: number): Measured => ({
  people: size,
  size,
  pairs: 0,
  mean: 0,
  deviation: 0,
  hundredth: 0,
  thousandth: 0,
})

/** The present size of a gallery: its faces, and what changes the alikeness (persons, or also faces). */
interface Size {
  faces: number
  size: number
}

/**
 * Large galleries are measured in the background (measure-galleries.ts), others in memory, when they have changed. A search waits for
 * the first measurement, and for each measurement of a very small gallery; otherwise the last one serves until the next is there.
 */
async function alikenessIn(
  services: JudgedServices,
  gallery: OwnedGallery,
  target: SearchTarget,
  { faces, size }: Size,
): Promise<Measured> {
  const { database, scale, alikenesses } = services
  const key = [gallery.owner, gallery.gallery, target, scale.label].join(' ')
  const known = alikenesses.get(key)
  if (faces > FACE_LIMITS.judgedAtOnce) {
    const stored = await alikenessOf(database, gallery, target)
    if (stored?.scale !== methodOf(scale) || !stored.alikeness) return known?.measured ?? unmeasured(size)
    return { ...stored.alikeness, people: stored.people, size: stored.faces }
  }
  const isExact = faces <= EXACT_FACES
  const labels = isExact ? await labelsIn(services, gallery) : ''
  if (known && isCurrent(known, size, labels)) return known.measured
  const renewed = renewedAlikeness(services, gallery, target, { key, size, labels })
  return known && !isExact ? known.measured : ((await renewed) ?? known?.measured ?? unmeasured(size))
}

/** The new measurement, one at a time for a gallery. Undefined while a shard is unavailable; the next attempt is after AGE_MS. */
function renewedAlikeness(
  services: JudgedServices,
  gallery: OwnedGallery,
  target: SearchTarget,
  { key, size, labels }: { key: string; size: number; labels: string },
): Promise<Measured | undefined> {
  const { alikenesses } = services
  const begun = alikenesses.renewing.get(key)
  if (begun?.labels === labels) return begun.measured
  const known = alikenesses.get(key)
  const measured = measureAlikeness(services, gallery, target)
    .then(
      found => {
        const now = { ...found, size }
        alikenesses.set(key, { measured: now, size, labels, since: environment.monotonic() })
        return now
      },
      error => {
        if (!(error instanceof StoreUnavailable)) throw error
        if (known) alikenesses.set(key, { ...known, since: environment.monotonic() })
        return undefined
      },
    )
    .finally(() => {
      if (alikenesses.renewing.get(key)?.measured === measured) alikenesses.renewing.delete(key)
    })
  alikenesses.renewing.set(key, { labels, measured })
  // A failure without a waiting caller must not be an unhandled rejection.
  measured.catch(() => undefined)
  return measured
}

/** Faces up to which each change of a gallery counts at once. */
const EXACT_FACES = 50

/** Share of the further faces or persons that may change, and the age, until a gallery is measured again. */
const CHANGE = 0.05
const AGE_MS = 60_000

const isCurrent = (kept: Kept, size: number, labels: string) =>
  kept.labels === labels &&
  Math.abs(size - kept.size) <= CHANGE * kept.size &&
  environment.monotonic() - kept.since < AGE_MS

/** A digest of who the faces of a small gallery show. */
async function labelsIn({ database }: JudgedServices, gallery: OwnedGallery) {
  const faces = await nextChecked(database, gallery, -1, EXACT_FACES + 1)
  return hash('sha256', JSON.stringify(faces.map(face => [face.id, labelOf(face)])), 'base64')
}
