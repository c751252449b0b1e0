/**
 * What recognises a person: the mean of its good faces, and confirmed faces that the mean does not match. It is
 * computed from the stored faces at each search: no copy of it can be out of date. See docs/decisions/0009-persons.md.
 */
import { FACE_LIMITS } from '../../../../contract/limits/faces.ts'
import { THRESHOLDS } from '../../../../contract/model/face.ts'
import { DEFAULT_GALLERY, storeGallery } from '../../../../contract/model/gallery.ts'
import type { Scale } from '../../../calibration/scale.ts'
import {
  type EvidenceFace,
  evidenceFaces,
  type FaceScope,
  FOUNDING_QUALITY,
} from '../../../metadata/persons/template-faces.ts'
import { dot, unitVector } from '../../../vector-store/unit-vector.ts'
import { StoreUnavailable, type VectorStore } from '../../../vector-store/vector-store.ts'
import type { Services } from '../../services.ts'

export interface Evidence {
  /** The normalised mean of the unit embeddings of the good faces. */
  template: Float32Array
  /** Unit embeddings of confirmed faces that do not match the template. */
  confirmed: readonly Float32Array[]
}

/** Unit embeddings by the ids of their faces. */
type Units = ReadonlyMap<number, Float32Array>

/** Greatest cosine of a unit embedding with the evidence of a person. */
export const scoreOf = ({ template, confirmed }: Evidence, unit: Float32Array): number =>
  Math.max(dot(unit, template, 0), ...confirmed.map(one => dot(unit, one, 0)))

/** The evidence of a person by its faces. Faces without a unit embedding are left out. Undefined when no face of the template has one. */
function evidenceOf(
  scale: Pick<Scale, 'confidence'>,
  faces: readonly EvidenceFace[],
  units: Units,
): Evidence | undefined {
  const unitsOf = (chosen: readonly EvidenceFace[]) => chosen.flatMap(({ id }) => units.get(id) ?? [])
  const template = templateOfUnits(unitsOf(templateFaces(faces)))
  if (!template) return undefined
  const confirmed = unitsOf(confirmedFaces(faces))
    .filter(unit => scale.confidence(dot(unit, template, 0)) < THRESHOLDS.strict)
    .slice(0, FACE_LIMITS.outlyingFaces)
  return { template, confirmed }
}

/** The evidence of a person, and the embeddings that it was computed of. */
interface StoredEvidence extends Evidence {
  units: Units
}

/**
 * The evidence of the persons who have faces in a scope, by their ids. Rejects with StoreUnavailable. `known` vectors are not read
 * again.
 */
export async function storedEvidence(
  services: Pick<Services, 'database' | 'scale'> & VectorReader,
  scope: FaceScope,
  persons: readonly number[],
  known?: Vectors,
): Promise<Map<number, StoredEvidence>> {
  const faces = [...(await evidenceFaces(services.database, scope, persons))]
  const read = await Promise.all(
    faces.map(async ([person, theirs]) => {
      const ids = new Set([...templateFaces(theirs), ...confirmedFaces(theirs)].map(({ id }) => id))
      const units = await unitVectors(services, scope.owner, [...ids], known)
      const evidence = evidenceOf(services.scale, theirs, units)
      return evidence ? [[person, { ...evidence, units }] as const] : []
    }),
  )
  return new Map(read.flat())
}

/** The faces that make a template: of the newest and the confirmed ones, the best by quality. Poor ones only when no other is there. */
function templateFaces(faces: readonly EvidenceFace[]): EvidenceFace[] {
  const recent = new Set([...newest(faces, FACE_LIMITS.representedFaces), ...confirmedFaces(faces)])
  return bestFaces([...recent])
}

/** The best faces by quality. Poor faces only when no other is there. */
export function bestFaces<Face extends Pick<EvidenceFace, 'id' | 'quality'>>(faces: readonly Face[]): Face[] {
  const best = faces
    .toSorted((a, b) => b.quality - a.quality || b.id - a.id)
    .slice(0, FACE_LIMITS.templateFaces)
  const good = best.filter(({ quality }) => quality >= FOUNDING_QUALITY)
  return good.length > 0 ? good : best
}

/** The confirmed faces that are compared with the template, newest first. */
const confirmedFaces = (faces: readonly EvidenceFace[]) =>
  newest(
    faces.filter(({ confirmed }) => confirmed),
    FACE_LIMITS.confirmedFaces,
  )

const newest = <Face extends { id: number }>(faces: readonly Face[], count: number) =>
  faces.toSorted((a, b) => b.id - a.id).slice(0, count)

/** The normalised mean of unit embeddings; undefined without any. */
export function templateOfUnits(units: readonly Float32Array[]): Float32Array | undefined {
  const [first] = units
  if (!first) return undefined
  const sum = first.map((_, i) => units.reduce((total, unit) => total + unit[i]!, 0))
  return unitVector(sum)
}

/** Vectors by the ids of their faces. */
type Vectors = ReadonlyMap<number, Float32Array | undefined>

interface VectorReader {
  vectors: Pick<VectorStore, 'get'>
}

/** Reads the vectors of unavailable shards as missing: the caller decides by the counted shards whether the read vectors suffice. */
export const availableVectors = ({ vectors }: VectorReader): VectorReader['vectors'] => ({
  get: key =>
    vectors.get(key).catch(error => {
      if (!(error instanceof StoreUnavailable)) throw error
      return undefined
    }),
})

/** The unit embeddings of the owner's faces, by the ids of the faces. Rejects with StoreUnavailable. `known` vectors are not read again. */
export async function unitVectors(
  { vectors }: VectorReader,
  owner: string,
  faces: readonly number[],
  known: Vectors = new Map(),
): Promise<Map<number, Float32Array>> {
  const gallery = storeGallery(owner, DEFAULT_GALLERY)
  const stored = await Promise.all(faces.map(id => known.get(id) ?? vectors.get({ gallery, id })))
  return new Map(faces.flatMap((id, i) => (stored[i] ? [[id, unitVector(stored[i])] as const] : [])))
}
