/** Compares a stored face with persons: with the evidence of their other faces. */
import type { FaceScope } from '../../../metadata/persons/template-faces.ts'
import { dot, unitVector } from '../../../vector-store/unit-vector.ts'
import type { Services } from '../../services.ts'
import { scoreOf, storedEvidence } from './person-templates.ts'

export interface ComparedPerson {
  person: number
  /** The face of the evidence that is closest to the probe. */
  face: number
  /** That of the evidence: 0..1, four decimals. */
  confidence: number
}

/** The persons among these who have faces in the scope, by descending confidence. Rejects with StoreUnavailable. */
export async function compareWithPersons(
  services: Pick<Services, 'database' | 'vectors' | 'scale'>,
  scope: FaceScope,
  probe: Float32Array,
  persons: readonly number[],
): Promise<ComparedPerson[]> {
  const unit = unitVector(probe)
  const compared: ComparedPerson[] = []
  for (const [person, evidence] of await storedEvidence(services, scope, persons)) {
    const cosines = [...evidence.units].map(([id, other]) => ({ id, cosine: dot(unit, other, 0) }))
    const [closest] = cosines.sort((a, b) => b.cosine - a.cosine)
    const confidence = services.scale.confidence(scoreOf(evidence, unit))
    compared.push({ person, face: closest!.id, confidence })
  }
  return compared.sort((a, b) => b.confidence - a.confidence)
}
