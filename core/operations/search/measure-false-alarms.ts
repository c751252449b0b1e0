/** Measures how similar the people of a gallery are to others in it, in the background. */
import { environment } from '../../../contract/environment.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { SEARCH_TARGETS, type SearchTarget, THRESHOLDS } from '../../../contract/model/face.ts'
import { DEFAULT_GALLERY, GALLERY_OF_OWNER, storeGallery } from '../../../contract/model/gallery.ts'
import { fitTail, type Tail } from '../../calibration/pareto.ts'
import {
  type FalseAlarms,
  type LabelledFace,
  labelledFaces,
  labelOf,
  measuredGalleries,
  nextLabelled,
  type OwnedGallery,
  peopleAmong,
  storeFalseAlarms,
} from '../../metadata/queries/false-alarms.ts'
import { ownerIds } from '../../metadata/queries/owners.ts'
import { seededRandom } from '../../vector-store/index/seeded-random.ts'
import { StoreUnavailable } from '../../vector-store/vector-store.ts'
import { type RepeatedTask, repeatedly } from '../repeatedly.ts'
import type { Services } from '../services.ts'
import { closestPersons } from './closest-persons.ts'
import { closestVectors } from './closest-vectors.ts'
import { sizeOf } from './false-alarms.ts'

type MeasuredServices = Pick<Services, 'database' | 'vectors' | 'scale'>

/**
 * Measures the galleries that were never measured, or whose size has changed by a tenth. Removes measurements of deleted
 * and of small galleries. `isStopping` ends the work early. Returns the number of measured galleries.
 */
export async function measureFalseAlarms(
  services: MeasuredServices,
  isStopping: () => boolean = () => false,
): Promise<number> {
  const owners = new Set(await ownerIds(services.database))
  const stored = await measuredGalleries(services.database)
  const galleries = await services.vectors.galleries()
  const sizes = new Map(
    galleries
      .map(gallery => [gallery.gallery, sizeOf(gallery)] as const)
      .filter(([, faces]) => faces >= FACE_LIMITS.measuredPeople),
  )
  for (const { owner, gallery } of stored)
    if (!sizes.has(storeGallery(owner, gallery)))
      await storeFalseAlarms(services.database, { owner, gallery }, [])
  let measured = 0
  for (const [name, faces] of sizes) {
    const [, owner, gallery] = GALLERY_OF_OWNER.exec(name) ?? []
    // A measurement refers to its owner. The store can have vectors of owners who do not exist.
    if (owner === undefined || gallery === undefined || !owners.has(owner)) continue
    const theirs = stored.filter(row => row.owner === owner && row.gallery === gallery)
    const isCurrent = theirs.some(
      row => row.scale === services.scale.label && Math.abs(faces - row.faces) < row.faces * GROWTH,
    )
    if (isCurrent) continue
    if (isStopping()) break
    const rows = await measureGallery(services, { owner, gallery }, faces, isStopping)
    if (isStopping()) break
    await storeFalseAlarms(services.database, { owner, gallery }, rows)
    measured++
  }
  return measured
}

/** Change of a gallery's size, as a share of its faces, after which it is measured again. */
const GROWTH = 0.1

/** Rows of the metadata that are read between two turns of the event loop. */
const PAGE = 1_000

async function measureGallery(
  services: MeasuredServices,
  { owner, gallery }: OwnedGallery,
  faces: number,
  isStopping: () => boolean,
): Promise<FalseAlarms[]> {
  const sampled = await sampledProbes(services, { owner, gallery })
  const scores: Record<SearchTarget, number[]> = { faces: [], persons: [] }
  // The row of a gallery with too few people has no tail: it says how many there are.
  for (const probe of sampled.length < FACE_LIMITS.measuredPeople ? [] : sampled) {
    if (isStopping()) return []
    const vector = await services.vectors.get({ gallery: storeGallery(owner, DEFAULT_GALLERY), id: probe.id })
    if (!vector) continue
    scores.faces.push(await closestOther(services, { owner, gallery }, probe, vector))
    if (typeof probe.personId === 'number') {
      const search = { owner, gallery, threshold: 0, limit: 1, except: new Set([probe.personId]) }
      const [best] = (await closestPersons(services, search, vector)).persons
      scores.persons.push(best?.confidence ?? 0)
    }
    await environment.turn()
  }
  return SEARCH_TARGETS.map(target => {
    const tail = tailOf(scores[target])
    return {
      owner,
      gallery,
      target,
      scale: services.scale.label,
      faces,
      probes: peopleAmong(sampled, target),
      tail,
    }
  })
}

/** Share of the scores that the tail is fitted to. */
const TAIL_SHARE = 0.2

/** The fitted tail; null for too few scores. Scores above `strict` can be of one person with two names: they are not fitted. */
function tailOf(scores: readonly number[]): Tail | null {
  if (scores.length < FACE_LIMITS.measuredPeople) return null
  const greatest = scores.toSorted((a, b) => b - a).slice(0, Math.ceil(scores.length * TAIL_SHARE))
  const pairs = greatest.map(score => ({ score, weight: 1 }))
  if (pairs.filter(({ score }) => score < THRESHOLDS.strict).length < 2) return null
  return fitTail(pairs, greatest.at(-1)!, THRESHOLDS.strict, scores.length)
}

/** One face of each of at most FACE_LIMITS.falseAlarmProbes people of a gallery, chosen at random. */
async function sampledProbes(
  { database }: MeasuredServices,
  { owner, gallery }: OwnedGallery,
): Promise<LabelledFace[]> {
  const random = seededRandom(1)
  const byLabel = new Map<string, { face: LabelledFace; order: number }>()
  for (let above = -1; ; ) {
    const named = gallery === DEFAULT_GALLERY ? undefined : gallery
    const page = await nextLabelled(database, { owner, gallery: named, above, limit: PAGE })
    const last = page.at(-1)
    if (!last) break
    for (const face of page) {
      const label = labelOf(face)
      if (!byLabel.has(label)) byLabel.set(label, { face, order: random() })
    }
    above = last.id
    await environment.turn()
  }
  return [...byLabel.values()]
    .sort((a, b) => a.order - b.order)
    .slice(0, FACE_LIMITS.falseAlarmProbes)
    .map(({ face }) => face)
}

/** Greatest number of faces that are searched for one of somebody else. */
const MOST_FACES = 1_000

/** Confidence of the closest face of another person; 0 when there is none among the closest MOST_FACES. */
async function closestOther(
  services: MeasuredServices,
  { owner, gallery }: OwnedGallery,
  probe: LabelledFace,
  vector: Float32Array,
): Promise<number> {
  for (let limit = 20; ; limit *= 7) {
    const search = { gallery: storeGallery(owner, gallery), threshold: 0, limit }
    const { found } = await closestVectors(services, search, vector)
    const rows = await labelledFaces(
      services.database,
      owner,
      found.map(({ id }) => id),
    )
    const labels = new Map(rows.map(row => [row.id, labelOf(row)]))
    const other = found.find(({ id }) => labels.has(id) && labels.get(id) !== labelOf(probe))
    if (other) return other.confidence
    if (found.length < limit || limit >= MOST_FACES) return 0
  }
}

/** The next repetition measures what an unavailable shard prevented. */
function unlessUnavailable(error: unknown): number {
  if (!(error instanceof StoreUnavailable)) throw error
  return 0
}

/** Repeats the measurement while requests are served. `tell` receives the number of measured galleries, and errors. */
export const keepMeasuringFalseAlarms = (
  services: MeasuredServices,
  tell: { done(galleries: number): void; failed(error: unknown): void },
): RepeatedTask =>
  repeatedly(FACE_LIMITS.falseAlarmsEveryMs, isStopping =>
    measureFalseAlarms(services, isStopping).catch(unlessUnavailable).then(tell.done, tell.failed),
  )
