/** Compares a stored face with persons: with the templates of their other faces. */
import { DEFAULT_GALLERY, storeGallery } from '../../../contract/model/gallery.ts'
import { type FaceScope, templateFaces } from '../../metadata/queries/template-faces.ts'
import { dot, unitVector } from '../../vector-store/unit-vector.ts'
import type { Services } from '../services.ts'
import { templateOfUnits } from './closest-persons.ts'

export interface ComparedPerson {
  person: number
  /** The face of the template that is closest to the probe. */
  face: number
  /** That of the template: 0..1, four decimals. */
  confidence: number
}

/** The persons among these who have faces in the scope, by descending confidence. Rejects with StoreUnavailable. */
export async function compareWithPersons(
  { database, vectors, scale }: Pick<Services, 'database' | 'vectors' | 'scale'>,
  scope: FaceScope,
  probe: Float32Array,
  persons: readonly number[],
): Promise<ComparedPerson[]> {
  const gallery = storeGallery(scope.owner, DEFAULT_GALLERY)
  const unit = unitVector(probe)
  const compared: ComparedPerson[] = []
  for (const [person, faces] of await templateFaces(database, scope, persons)) {
    const stored = await Promise.all(faces.map(id => vectors.get({ gallery, id })))
    const units = stored.flatMap((vector, i) => (vector ? [{ id: faces[i]!, unit: unitVector(vector) }] : []))
    const template = templateOfUnits(units.map(({ unit }) => unit))
    if (!template) continue
    const [closest] = units.sort((a, b) => dot(unit, b.unit, 0) - dot(unit, a.unit, 0))
    compared.push({
      person,
      face: closest!.id,
      confidence: scale.confidence(dot(unit, template, 0)),
    })
  }
  return compared.sort((a, b) => b.confidence - a.confidence)
}
