/** Measures how well searches of a gallery work: leaves out one face at a time, and searches for it among the others. */
import { environment } from '../../../contract/environment.ts'
import { FACE_LIMITS } from '../../../contract/limits/faces.ts'
import { SEARCH_TARGETS, type SearchTarget } from '../../../contract/model/face.ts'
import type { GalleryRates } from '../../../contract/model/gallery.ts'
import type { RpcRequest, RpcResponse } from '../../../contract/rpc/operations.ts'
import { fourDecimals } from '../../calibration/scale.ts'
import { faceCount } from '../../metadata/queries/faces.ts'
import { labelOf } from '../../metadata/queries/false-alarms.ts'
import { type CheckedFace, facesOfHuman, idRange, nextChecked } from '../../metadata/queries/gallery-check.ts'
import type { FaceScope } from '../../metadata/queries/person-templates.ts'
import { dot } from '../../vector-store/unit-vector.ts'
import { galleryFilter } from '../galleries.ts'
import { templateOfUnits, unitVectors } from '../search/closest-persons.ts'
import { falseAlarmBounds } from '../search/false-alarms.ts'
import { requireComplete } from '../search/required-shards.ts'
import type { Services } from '../services.ts'
import { isNamed, OtherPeople, representing } from './people.ts'

/** Shares of strangers with a match for which rates are measured. */
const FPIRS = [0.01, 0.003, 0.001] as const

/** Confidences of the right human, without the probe, and of the closest other one. */
interface Scored {
  own: number
  other: number
}

/** Rows of the metadata of one query, and queries. A larger gallery is sampled at as many places. */
const PAGE = 1_000
const PAGES = 20

/** Other people whose templates are compared with a probe. */
const COMPARED_PEOPLE = 5

/** Throws NOT_FOUND, and rejects with StoreUnavailable. Ends after FACE_LIMITS.ratesMs with fewer probes. */
export async function galleryRates(
  services: Services,
  { owner, gallery }: RpcRequest<'gallery.rates'>,
): Promise<RpcResponse<'gallery.rates'>> {
  const scope = { owner, gallery }
  const filter = await galleryFilter(services, owner, gallery)
  requireComplete(services.missingVectors, true)
  const end = environment.monotonic() + FACE_LIMITS.ratesMs
  const faces = await sample(services, scope, await faceCount(services.database, owner, filter))
  const others = new OtherPeople(services, scope)
  const scores: Record<SearchTarget, Scored[]> = { faces: [], persons: [] }
  for (const face of faces) {
    if (scores.faces.length >= FACE_LIMITS.rateProbes || environment.monotonic() > end) break
    const scored = await scoredProbe(services, scope, others, face)
    if (scored) scores.faces.push(scored.faces)
    if (scored && typeof face.personId === 'number') scores.persons.push(scored.persons)
    await environment.turn()
  }
  const rates: GalleryRates[] = []
  for (const target of SEARCH_TARGETS) {
    if (scores[target].length === 0) continue
    const bounds = await falseAlarmBounds(services, scope, target)
    rates.push(ratesOf(target, scores[target], fpir => bounds(fpir).threshold))
  }
  return { rates }
}

/** Named faces, in an order that does not depend on their enrolment. Of a large gallery: from PAGES places between its ends. */
async function sample({ database }: Services, scope: FaceScope, count: number): Promise<CheckedFace[]> {
  const faces: CheckedFace[] = []
  const { first, last } = await idRange(database, scope)
  const step = count > PAGE * PAGES ? (last - first) / PAGES : 0
  for (let i = 0, above = -1; i < PAGES; i++) {
    const page = await nextChecked(database, scope, Math.max(above, Math.floor(first + i * step) - 1), PAGE)
    faces.push(...page.filter(isNamed))
    above = page.at(-1)?.id ?? above
    await environment.turn()
  }
  return faces.toSorted((a, b) => hash(a.id) - hash(b.id))
}

/** A number that orders ids at random, and equally in each run. */
const hash = (id: number): number => Math.imul(id % 2 ** 31, 0x9e3779b1) >>> 0

/** Undefined for a face whose human has no other face. */
async function scoredProbe(
  services: Services,
  scope: FaceScope,
  people: OtherPeople,
  face: CheckedFace,
): Promise<Record<SearchTarget, Scored> | undefined> {
  const own = (await facesOfHuman(services.database, scope, face)).filter(({ id }) => id !== face.id)
  if (own.length === 0) return undefined
  const units = await unitVectors(services, scope.owner, [face.id, ...own.map(({ id }) => id)])
  const probe = units.get(face.id)
  units.delete(face.id)
  const template = templateOfUnits(representing(own).flatMap(({ id }) => units.get(id) ?? []))
  if (!probe || !template) return undefined
  const others = await people.closest(probe, labelOf(face), COMPARED_PEOPLE)
  const nearest = others[0] && (await unitVectors(services, scope.owner, [others[0].face.id]))
  const best = (vectors: Iterable<Float32Array>): number =>
    Math.max(0, ...[...vectors].map(vector => services.scale.confidence(dot(probe, vector, 0))))
  return {
    faces: { own: best(units.values()), other: best(nearest?.values() ?? []) },
    persons: { own: best([template]), other: best(others.map(other => other.template)) },
  }
}

function ratesOf(
  target: SearchTarget,
  scores: readonly Scored[],
  thresholdOf: (fpir: number) => number,
): GalleryRates {
  const share = (holds: (scored: Scored) => boolean): number =>
    fourDecimals(scores.filter(holds).length / scores.length)
  return {
    target,
    probes: scores.length,
    rank1: share(({ own, other }) => own > other),
    settings: FPIRS.map(fpir => {
      const threshold = thresholdOf(fpir)
      return {
        fpir,
        threshold,
        missed: share(({ own, other }) => own < threshold || other >= own),
        false_alarms: share(({ other }) => other >= threshold),
      }
    }),
  }
}
